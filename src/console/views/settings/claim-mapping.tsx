import type { ComponentChildren } from "preact"
import { useId, useState } from "preact/hooks"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { FieldErrors, TextField, type Values } from "../../ui/form.tsx"

interface ClaimMappingProps {
  /** The API field. */
  name: string
  label: string
  hint: string
  /** The label of the left side. */
  from: string
  /** The mapped values. */
  values: Record<string, string | number>
  /** The field of the right side, which must be named `name`. */
  target: (name: string, value: string | number | undefined) => ComponentChildren
}

/** Edits a map from claims, or from values of a claim, to something of the academy. */
export function ClaimMapping({ name, label, hint, from, values, target }: ClaimMappingProps) {
  const id = useId()
  const [rows, setRows] = useState(() =>
    Object.entries(values).map(([source, value], key) => ({
      key,
      source,
      value: value as string | number | undefined,
    })),
  )
  const nextKey = Math.max(-1, ...rows.map(({ key }) => key)) + 1
  return (
    <fieldset class="mapping" aria-describedby={`${id}-hint`}>
      <legend>{label}</legend>
      <p class="quiet" id={`${id}-hint`}>
        {hint}
      </p>
      {rows.map(({ key, source, value }) => (
        <div class="mapping-row" key={key}>
          <TextField name={`${name}.from`} label={from} defaultValue={source} required maxLength={200} dir="ltr" />
          {target(`${name}.to`, value)}
          <button type="button" onClick={() => setRows(rows.filter((row) => row.key !== key))}>
            {t("remove")}
          </button>
        </div>
      ))}
      <FieldErrors id={`${id}-error`} name={name} label={label} />
      <button type="button" onClick={() => setRows([...rows, { key: nextKey, source: "", value: undefined }])}>
        {t("settings:mapping.add")}
      </button>
    </fieldset>
  )
}

/** The submitted map. */
export function toMapping(values: Values, name: string): Record<string, string> {
  const targets = values.all(`${name}.to`)
  return Object.fromEntries(values.all(`${name}.from`).map((source, index) => [source.trim(), targets[index] ?? ""]))
}

/** Selects a group. */
export function GroupField({ name, id }: { name: string; id: number | undefined }) {
  const group = useRead("/api/group/{id}", { params: { path: { id: id ?? 0 } } }, { enabled: id !== undefined })
  // A deleted group keeps its id, so that the mapping can be removed.
  const groupName = group.data?.name ?? (group.error ? `#${id}` : "")
  return (
    <Combobox
      name={name}
      label={t("settings:provider.group")}
      path="/api/group/tabularlist"
      searchBy="name"
      toChoice={({ id: groupId, name: label }) => ({ id: groupId, name: label })}
      value={id === undefined ? undefined : { id, name: groupName }}
      required
    />
  )
}
