import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";

/** Field for a code; a plain GET form, so that every result has an address. */
export function CodeForm({ typed }: { typed: string }) {
  const t = useT();
  return (
    <form action={paths.verifyForm} className="grid gap-3 rounded-card border border-line bg-card p-4 sm:p-6">
      <label htmlFor="code" className="text-sm font-semibold">
        {t("verify.form.label")}
      </label>
      <div className="flex flex-wrap gap-2">
        <input
          id="code"
          name="code"
          required
          maxLength={100}
          defaultValue={typed}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          aria-describedby="code-hint"
          className="min-h-11 min-w-0 grow rounded-control border border-edge bg-card px-3 py-2 font-mono text-base"
        />
        <Button>{t("verify.form.submit")}</Button>
      </div>
      <p id="code-hint" className="text-sm text-quiet">
        {t("verify.form.hint")}
      </p>
    </form>
  );
}
