import { useRef } from "preact/hooks"
import { t } from "../../messages/messages.ts"
import { Field, TextField, type Values } from "../../ui/form.tsx"
import { ImageField } from "../../ui/media/image-field.tsx"

/** The look and the sender of pages and mails; null: not set. */
export interface Branding {
  logoUrl: string | null
  primaryColor: string | null
  secondaryColor: string | null
  senderName: string | null
  replyTo: string | null
}

/** The color that buttons have without a brand. */
export const DEFAULT_COLOR = "#1d4ed8"

/** The fields of a form. An empty text clears one. */
export const toBrandingBody = (values: Values) => ({
  logoUrl: values.text("logoUrl"),
  primaryColor: values.text("primaryColor"),
  secondaryColor: values.text("secondaryColor"),
  senderName: values.text("senderName"),
  replyTo: values.text("replyTo"),
})

interface ColorFieldProps {
  name: string
  label: string
  hint: string
  value: string | null
}

/** A color as text, with the browser's color picker. */
function ColorField({ name, label, hint, value }: ColorFieldProps) {
  const text = useRef<HTMLInputElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  return (
    <Field name={name} label={label} hint={hint}>
      {(attributes) => (
        <div class="color">
          <input
            ref={picker}
            type="color"
            // The text has the same value, and a label.
            aria-hidden="true"
            tabIndex={-1}
            defaultValue={value ?? DEFAULT_COLOR}
            onInput={({ currentTarget }) => {
              if (text.current) text.current.value = currentTarget.value
            }}
          />
          <input
            ref={text}
            type="text"
            dir="ltr"
            defaultValue={value ?? ""}
            placeholder={DEFAULT_COLOR}
            pattern="#[0-9a-fA-F]{6}"
            title={t("settings:color.format")}
            maxLength={7}
            onInput={({ currentTarget }) => {
              if (picker.current && currentTarget.validity.valid && currentTarget.value)
                picker.current.value = currentTarget.value
            }}
            {...attributes}
          />
        </div>
      )}
    </Field>
  )
}

/** The logo and the colors. */
export const LookFields = ({ brand }: { brand: Branding }) => (
  <>
    <ImageField name="logoUrl" label={t("settings:logo")} hint={t("settings:logo.hint")} value={brand.logoUrl} />
    <div class="columns">
      <ColorField
        name="primaryColor"
        label={t("settings:primary-color")}
        hint={t("settings:primary-color.hint")}
        value={brand.primaryColor}
      />
      <ColorField
        name="secondaryColor"
        label={t("settings:secondary-color")}
        hint={t("settings:secondary-color.hint")}
        value={brand.secondaryColor}
      />
    </div>
  </>
)

/** Who emails come from. @param fallback the sender that applies without a name */
export const SenderFields = ({ brand, fallback }: { brand: Branding; fallback: string }) => (
  <div class="columns">
    <TextField
      name="senderName"
      label={t("settings:sender")}
      defaultValue={brand.senderName ?? ""}
      placeholder={fallback}
      maxLength={100}
    />
    <TextField
      name="replyTo"
      type="email"
      dir="ltr"
      label={t("settings:reply-to")}
      hint={t("settings:reply-to.hint")}
      defaultValue={brand.replyTo ?? ""}
    />
  </div>
)
