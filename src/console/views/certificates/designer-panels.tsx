import { useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { DropZone } from "../../ui/drop-zone.tsx"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { Field } from "../../ui/form.tsx"
import { clampToPage, type Draft, type DraftField, resizePage, updateField } from "./template-draft.ts"

type Lookup = readonly { db_value: string; display_value: string }[]
type Change = (update: (draft: Draft) => Draft, group?: string) => void

interface NumberProps {
  name: string
  label: string
  value: number
  min: number
  max: number
  onChange: (value: number) => void
}

/** Applies every valid number immediately; keeps the typed text until blur. */
function NumberField({ name, label, value, min, max, onChange }: NumberProps) {
  const [typed, setTyped] = useState<string>()
  return (
    <Field name={name} label={label}>
      {(attributes) => (
        <input
          {...attributes}
          type="number"
          min={min}
          max={max}
          value={typed ?? value}
          onInput={(event) => {
            const text = event.currentTarget.value
            setTyped(text)
            const next = Number(text)
            if (text !== "" && next >= min && next <= max) onChange(next)
          }}
          onBlur={() => setTyped(undefined)}
        />
      )}
    </Field>
  )
}

interface TextPanelProps {
  field: DraftField
  page: { width: number; height: number }
  name: string
  keys: Lookup
  families: Lookup
  onChange: Change
  onRemove: () => void
}

const toSixDigitHex = (color: string) =>
  color.length === 4 ? `#${[...color.slice(1)].map((digit) => digit + digit).join("")}` : color

/** Content, position and style of a text. */
export function TextPanel({ field, page, name, keys, families, onChange, onRemove }: TextPanelProps) {
  const update = (changes: Partial<DraftField>) =>
    onChange(
      (draft) => updateField(draft, field.uid, (field) => ({ ...field, ...changes })),
      `${Object.keys(changes).join()} ${field.uid}`,
    )
  const isKnown = keys.some(({ db_value }) => db_value === field.key)
  return (
    <section class="card panel" aria-label={t("certificates:text.of", { name })}>
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <Field name="key" label={t("certificates:text.field")}>
        {(attributes) => (
          <select {...attributes} value={field.key} onChange={(event) => update({ key: event.currentTarget.value })}>
            {!isKnown && <option value={field.key}>{field.key}</option>}
            {keys.map(({ db_value, display_value }) => (
              <option key={db_value} value={db_value}>
                {display_value}
              </option>
            ))}
          </select>
        )}
      </Field>
      {field.key === "custom_text" && (
        <Field name="value" label={t("certificates:text.content")}>
          {(attributes) => (
            <textarea
              {...attributes}
              rows={2}
              maxLength={1000}
              dir="auto"
              value={field.value}
              onInput={(event) => update({ value: event.currentTarget.value })}
            />
          )}
        </Field>
      )}
      <div class="numbers">
        <NumberField
          name="left"
          label={t("certificates:left")}
          value={field.left}
          min={0}
          max={page.width - 1}
          onChange={(left) => update({ left: Math.round(left) })}
        />
        <NumberField
          name="top"
          label={t("certificates:top")}
          value={field.top}
          min={0}
          max={page.height - 1}
          onChange={(top) => update({ top: Math.round(top) })}
        />
        <NumberField
          name="width"
          label={t("certificates:width")}
          value={field.width}
          min={0}
          max={10_000}
          onChange={(width) => update({ width: Math.round(width) })}
        />
        <NumberField
          name="height"
          label={t("certificates:height")}
          value={field.height}
          min={0}
          max={10_000}
          onChange={(height) => update({ height: Math.round(height) })}
        />
        <NumberField
          name="font_size"
          label={t("certificates:font.size")}
          value={field.font_size}
          min={1}
          max={1000}
          onChange={(font_size) => update({ font_size })}
        />
        <Field name="font_color" label={t("certificates:font.color")}>
          {(attributes) => (
            <input
              {...attributes}
              type="color"
              value={toSixDigitHex(field.font_color)}
              onInput={(event) => update({ font_color: event.currentTarget.value })}
            />
          )}
        </Field>
      </div>
      <p class="quiet">{t("certificates:box.hint")}</p>
      <Field name="font_family" label={t("certificates:font.family")}>
        {(attributes) => (
          <select
            {...attributes}
            value={field.font_family}
            onChange={(event) => update({ font_family: event.currentTarget.value })}
          >
            {families.map(({ db_value, display_value }) => (
              <option key={db_value} value={db_value}>
                {display_value}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div class="check">
        <input
          type="checkbox"
          id={`centered-${field.uid}`}
          checked={field.align_center}
          onChange={(event) => update({ align_center: event.currentTarget.checked })}
        />
        <label for={`centered-${field.uid}`}>{t("certificates:centered")}</label>
      </div>
      <div class="actions">
        <button type="button" class="danger" onClick={onRemove}>
          {t("certificates:text.remove")}
        </button>
      </div>
    </section>
  )
}

/** Visibility, position and size of the QR code. */
export function CodePanel({ draft, onChange }: { draft: Draft; onChange: Change }) {
  const { qr_code: position, width, height } = draft
  const update = (changes: Partial<Draft["qr_code"]>) =>
    onChange(
      (draft) => ({ ...draft, qr_code: clampToPage({ ...draft.qr_code, ...changes }, draft) }),
      `${Object.keys(changes).join()} code`,
    )
  return (
    <section class="card panel" aria-label={t("certificates:code")}>
      <h2>{t("certificates:code")}</h2>
      <p class="quiet">{t("certificates:code.hint")}</p>
      <div class="check">
        <input
          type="checkbox"
          id="code-shown"
          checked={position.show}
          onChange={(event) => update({ show: event.currentTarget.checked })}
        />
        <label for="code-shown">{t("certificates:code.show")}</label>
      </div>
      <div class="numbers">
        <NumberField
          name="code_left"
          label={t("certificates:left")}
          value={position.left}
          min={0}
          max={width - position.size}
          onChange={(left) => update({ left })}
        />
        <NumberField
          name="code_top"
          label={t("certificates:top")}
          value={position.top}
          min={0}
          max={height - position.size}
          onChange={(top) => update({ top })}
        />
        <NumberField
          name="code_size"
          label={t("certificates:code.size")}
          value={position.size}
          min={10}
          max={Math.min(width, height)}
          onChange={(size) => update({ size })}
        />
      </div>
    </section>
  )
}

/** Name, size and background of the page. */
export function PagePanel({ draft, onChange }: { draft: Draft; onChange: Change }) {
  const upload = useChange({
    call: (file: File) =>
      api.POST("/api/certificate_template/upload", {
        body: { file },
        bodySerializer: () => {
          const form = new FormData()
          form.append("file", file)
          return form
        },
      }),
    invalidates: [],
  })
  const uploadBackground = async (file: File) => {
    try {
      const { storage_url } = await upload.mutateAsync(file)
      onChange((draft) => ({ ...draft, bg_url: new URL(storage_url, location.origin).href }))
    } catch {
      // `upload.error` is shown below.
    }
  }
  return (
    <section class="card panel" aria-label={t("certificates:page")}>
      <h2>{t("certificates:page")}</h2>
      <Field name="name" label={t("certificates:name")}>
        {(attributes) => (
          <input
            {...attributes}
            type="text"
            value={draft.name}
            onInput={({ currentTarget: { value } }) => onChange((draft) => ({ ...draft, name: value }), "name")}
          />
        )}
      </Field>
      <div class="numbers">
        <NumberField
          name="page_width"
          label={t("certificates:width")}
          value={draft.width}
          min={50}
          max={10_000}
          onChange={(width) =>
            onChange((draft) => resizePage(draft, { width: Math.round(width), height: draft.height }), "page width")
          }
        />
        <NumberField
          name="page_height"
          label={t("certificates:height")}
          value={draft.height}
          min={50}
          max={10_000}
          onChange={(height) =>
            onChange((draft) => resizePage(draft, { width: draft.width, height: Math.round(height) }), "page height")
          }
        />
      </div>
      <p class="quiet">{t("certificates:page.hint")}</p>
      <div class="actions">
        <button
          type="button"
          onClick={() => onChange((draft) => resizePage(draft, { width: draft.height, height: draft.width }))}
        >
          {t("certificates:page.rotate")}
        </button>
        {draft.bg_url && (
          <button type="button" onClick={() => onChange((draft) => ({ ...draft, bg_url: "" }))}>
            {t("certificates:background.remove")}
          </button>
        )}
      </div>
      <DropZone
        label={t("certificates:background")}
        hint={t("certificates:background.hint")}
        accept="image/png,image/jpeg"
        onFile={uploadBackground}
      />
      <ErrorMessage error={upload.error} />
    </section>
  )
}
