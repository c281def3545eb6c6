import { useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { DropZone } from "../../ui/drop-zone.tsx"
import { Problem } from "../../ui/error-message.tsx"
import { Field } from "../../ui/form.tsx"
import { type Draft, type DraftField, onPage, resized, withField } from "./template-draft.ts"

type Lookup = readonly { db_value: string; display_value: string }[]
type Change = (next: (draft: Draft) => Draft, about?: string) => void

interface NumberProps {
  name: string
  label: string
  value: number
  min: number
  max: number
  onChange: (value: number) => void
}

/** A number that counts as soon as it is one; what is typed stays as it is until the field is left. */
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

const fullHex = (color: string) =>
  color.length === 4 ? `#${[...color.slice(1)].map((digit) => digit + digit).join("")}` : color

/** All that a text is: what it says, where, and how it looks. */
export function TextPanel({ field, page, name, keys, families, onChange, onRemove }: TextPanelProps) {
  const set = (members: Partial<DraftField>) =>
    onChange(
      (draft) => withField(draft, field.uid, (field) => ({ ...field, ...members })),
      `${Object.keys(members).join()} ${field.uid}`,
    )
  const isKnown = keys.some(({ db_value }) => db_value === field.key)
  return (
    <section class="card panel" aria-label={t("certificates:text.of", { name })}>
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <Field name="key" label={t("certificates:text.field")}>
        {(attributes) => (
          <select {...attributes} value={field.key} onChange={(event) => set({ key: event.currentTarget.value })}>
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
              onInput={(event) => set({ value: event.currentTarget.value })}
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
          onChange={(left) => set({ left: Math.round(left) })}
        />
        <NumberField
          name="top"
          label={t("certificates:top")}
          value={field.top}
          min={0}
          max={page.height - 1}
          onChange={(top) => set({ top: Math.round(top) })}
        />
        <NumberField
          name="width"
          label={t("certificates:width")}
          value={field.width}
          min={0}
          max={10_000}
          onChange={(width) => set({ width: Math.round(width) })}
        />
        <NumberField
          name="height"
          label={t("certificates:height")}
          value={field.height}
          min={0}
          max={10_000}
          onChange={(height) => set({ height: Math.round(height) })}
        />
        <NumberField
          name="font_size"
          label={t("certificates:font.size")}
          value={field.font_size}
          min={1}
          max={1000}
          onChange={(font_size) => set({ font_size })}
        />
        <Field name="font_color" label={t("certificates:font.color")}>
          {(attributes) => (
            <input
              {...attributes}
              type="color"
              value={fullHex(field.font_color)}
              onInput={(event) => set({ font_color: event.currentTarget.value })}
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
            onChange={(event) => set({ font_family: event.currentTarget.value })}
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
          onChange={(event) => set({ align_center: event.currentTarget.checked })}
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

/** Where the QR code stands, and whether. */
export function CodePanel({ draft, onChange }: { draft: Draft; onChange: Change }) {
  const { qr_code: place, width, height } = draft
  const set = (members: Partial<Draft["qr_code"]>) =>
    onChange(
      (draft) => ({ ...draft, qr_code: onPage({ ...draft.qr_code, ...members }, draft) }),
      `${Object.keys(members).join()} code`,
    )
  return (
    <section class="card panel" aria-label={t("certificates:code")}>
      <h2>{t("certificates:code")}</h2>
      <p class="quiet">{t("certificates:code.hint")}</p>
      <div class="check">
        <input
          type="checkbox"
          id="code-shown"
          checked={place.show}
          onChange={(event) => set({ show: event.currentTarget.checked })}
        />
        <label for="code-shown">{t("certificates:code.show")}</label>
      </div>
      <div class="numbers">
        <NumberField
          name="code_left"
          label={t("certificates:left")}
          value={place.left}
          min={0}
          max={width - place.size}
          onChange={(left) => set({ left })}
        />
        <NumberField
          name="code_top"
          label={t("certificates:top")}
          value={place.top}
          min={0}
          max={height - place.size}
          onChange={(top) => set({ top })}
        />
        <NumberField
          name="code_size"
          label={t("certificates:code.size")}
          value={place.size}
          min={10}
          max={Math.min(width, height)}
          onChange={(size) => set({ size })}
        />
      </div>
    </section>
  )
}

/** What the page is: its name, its size and what lies behind the texts. */
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
    changes: [],
  })
  const take = async (file: File) => {
    try {
      const { storage_url } = await upload.mutateAsync(file)
      onChange((draft) => ({ ...draft, bg_url: new URL(storage_url, location.origin).href }))
    } catch {
      // It stands below.
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
            onChange((draft) => resized(draft, { width: Math.round(width), height: draft.height }), "page width")
          }
        />
        <NumberField
          name="page_height"
          label={t("certificates:height")}
          value={draft.height}
          min={50}
          max={10_000}
          onChange={(height) =>
            onChange((draft) => resized(draft, { width: draft.width, height: Math.round(height) }), "page height")
          }
        />
      </div>
      <p class="quiet">{t("certificates:page.hint")}</p>
      <div class="actions">
        <button
          type="button"
          onClick={() => onChange((draft) => resized(draft, { width: draft.height, height: draft.width }))}
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
        onFile={take}
      />
      <Problem error={upload.error} />
    </section>
  )
}
