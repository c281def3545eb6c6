import { t } from "../messages/messages.ts"
import { TextField } from "./form.tsx"

interface ExternalIdFieldProps {
  /** Omit for a new record. */
  record?: { externalId: string | null; externalIds: readonly { source: string; externalId: string }[] } | undefined
}

const MANUAL = "manual"

/** The id of a record in another system, as people enter it; the ids that programs wrote are shown below. */
export function ExternalIdField({ record }: ExternalIdFieldProps) {
  const others = (record?.externalIds ?? [])
    .filter(({ source }) => source !== MANUAL)
    .map(({ source, externalId }) => `${source}: ${externalId}`)
  return (
    <TextField
      name="externalId"
      label={t("external-id")}
      hint={others.length > 0 ? t("external-id.others", { ids: others.join(", ") }) : t("external-id.hint")}
      defaultValue={record?.externalId ?? ""}
      maxLength={255}
      dir="ltr"
      autocomplete="off"
    />
  )
}
