import { Button } from "../../../ui/forms/button.tsx";
import { CopyButton } from "../../../ui/forms/copyable-value.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";
import type { OpenedVaultValues, VaultValueName } from "../../../ui/trade/vault/vault-types.ts";

const vaultValueNames = ["login", "password", "email", "emailPassword", "recoveryNotes", "notes"] as const;
const hiddenVaultValueNames: readonly VaultValueName[] = ["password", "emailPassword"];

/** The secrets, each with its copy button; passwords are hidden until the buyer shows them, since another person may be watching. */
export function OpenedValues({ values }: { values: OpenedVaultValues }) {
  const t = useT();
  return (
    <Card title={t("vault.opened.title")}>
      <Notice tone="warn" title={t("escrow.vaultOpened")}>
        <p>{t("vault.opened.note")}</p>
      </Notice>
      <dl className="grid gap-4">
        {vaultValueNames.map((name) => {
          const value = values[name];
          return value === undefined ? null : (
            <div key={name} className="grid gap-1">
              <dt className="text-sm font-semibold">{t(`vault.field.${name}`)}</dt>
              <dd className="flex flex-wrap items-start gap-2">
                {hiddenVaultValueNames.includes(name) ? (
                  <CoveredSecret value={value} />
                ) : (
                  <PlainSecret value={value} />
                )}
                <CopyButton value={value} label={t("chat.copy")} of={t(`vault.field.${name}`)} />
              </dd>
            </div>
          );
        })}
      </dl>
    </Card>
  );
}

function PlainSecret({ value }: { value: string }) {
  return (
    <output className="min-w-0 rounded-control bg-sunk px-3 py-2 font-mono whitespace-pre-wrap wrap-anywhere">
      {value}
    </output>
  );
}

function CoveredSecret({ value }: { value: string }) {
  const t = useT();
  return (
    <details className="group min-w-0">
      <summary className="flex min-h-11 cursor-pointer items-center gap-3 rounded-control bg-sunk px-3 font-semibold text-brand">
        <span aria-hidden="true" className="font-mono text-ink group-open:hidden">
          ••••••••
        </span>
        {t("vault.opened.show")}
      </summary>
      <PlainSecret value={value} />
    </details>
  );
}

/** The form that opens the vault: only the response to its POST contains the secrets, and no address does. */
export function OpenForm({ again }: { again: boolean }) {
  const t = useT();
  return (
    <PersonForm className="grid gap-3">
      <input type="hidden" name="form" value="open" />
      <p>{t("vault.open.ask")}</p>
      <Button look={again ? "plain" : "primary"}>{t("vault.open.yes")}</Button>
    </PersonForm>
  );
}
