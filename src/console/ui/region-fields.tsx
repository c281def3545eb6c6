import { useId } from "preact/hooks"
import { LANGUAGES } from "../../lib/text/languages.ts"
import { useLanguage } from "../messages/messages.ts"
import { Select, TextField } from "./form.tsx"

const ZONES = Intl.supportedValuesOf("timeZone")

interface RegionFieldProps {
  name: string
  label: string
  hint?: string
  value: string | null
  /** What applies without a value. */
  fallback?: string
}

/** Selects a time zone; the browser filters the names while the user types. */
export function TimeZoneField({ value, fallback, ...field }: RegionFieldProps) {
  const id = useId()
  return (
    <>
      <TextField
        {...field}
        list={id}
        defaultValue={value ?? ""}
        placeholder={fallback ?? ""}
        autocomplete="off"
        spellcheck={false}
        dir="ltr"
      />
      <datalist id={id}>
        {["UTC", ...ZONES.filter((zone) => zone !== "UTC")].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  )
}

/** The name of a language in the language of the console. */
export function useLanguageName() {
  const names = new Intl.DisplayNames(useLanguage(), { type: "language" })
  return (tag: string) => names.of(tag) ?? tag
}

/** Selects a language. @param none the label of the empty option */
export function LanguageField({ value, fallback: none, ...field }: RegionFieldProps) {
  const nameOf = useLanguageName()
  const tags = [...new Set([...LANGUAGES, ...(value ? [value] : [])])]
  return (
    <Select
      {...field}
      options={tags.map((tag) => ({ value: tag, label: nameOf(tag) }))}
      value={value ?? ""}
      {...(none !== undefined && { none })}
    />
  )
}
