import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";

const previewModes = ["mn", "en", "text"] as const;
const previewWidths = ["phone", "wide"] as const;

/**
 * The email in an iframe that neither runs scripts nor fetches anything: in each language, as plain text, at a phone's width or the page's.
 * While the template is edited, the buttons post the editor's form into the frame, so that it shows unsaved changes.
 */
export function MailFrame({ name, title, editing }: { name: string; title: string; editing: boolean }) {
  const t = useT();
  const language = useLanguage();
  const address = paths.adminEmailPreview(name);
  return (
    <div className="group/frame grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        {previewModes.map((show) =>
          editing ? (
            <Button
              key={show}
              form="look"
              formAction={address}
              formTarget="mail"
              formNoValidate
              name="show"
              value={show}
              look="plain"
            >
              {t(`admin.mail.show.${show}`)}
            </Button>
          ) : (
            <a
              key={show}
              href={`${address}?show=${show}`}
              target="mail"
              className="inline-flex min-h-11 items-center rounded-control border border-edge bg-card px-4 py-2 font-semibold no-underline hover:bg-brand-soft"
            >
              {t(`admin.mail.show.${show}`)}
            </a>
          ),
        )}
      </div>
      <fieldset className="flex flex-wrap gap-x-6">
        <legend className="sr-only">{t("admin.mail.width.label")}</legend>
        {previewWidths.map((width) => (
          <label key={width} className="flex min-h-11 cursor-pointer items-center gap-2">
            <input
              type="radio"
              name="width"
              id={`width-${width}`}
              value={width}
              defaultChecked={width === "phone"}
              className="size-5 accent-brand"
            />
            {t(`admin.mail.width.${width}`)}
          </label>
        ))}
      </fieldset>
      {editing && <p className="text-sm text-quiet">{t("admin.mail.frameHint")}</p>}
      <iframe
        name="mail"
        title={t("admin.mail.frameTitle", { name: title })}
        src={`${address}?show=${language}`}
        sandbox=""
        className="h-[40rem] w-[22.5rem] max-w-full rounded-control border border-line bg-white group-has-[#width-wide:checked]/frame:w-full"
      />
    </div>
  );
}
