import type { ApiError } from "../lib/errors.ts"
import { FormError } from "./form-error.tsx"
import { Layout, useFrame, useWords } from "./page.tsx"

/** The prefix of the names of custom field inputs; the meta key follows. */
export const META_FIELD = "meta:"

interface Field {
  type: "text" | "textarea" | "date" | "radio" | "checkbox" | "dropdown"
  label: string
  userMetaKey: string
  defaultValue: string | null
  isRequired: boolean
  options: string[]
}

type Values = Record<string, unknown>
interface Props {
  fields: Field[]
  /** The previously entered values, by input name. */
  values?: Values
  error?: ApiError | undefined
  /** The fields with errors, by API name. */
  faults?: readonly string[]
}

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined)
const chosen = (value: unknown, option: string) => (Array.isArray(value) ? value.includes(option) : value === option)

/** The input of a custom field. */
const CustomField = ({ field, value, hasError }: { field: Field; value: unknown; hasError: boolean }) => {
  const { t } = useWords()
  const name = `${META_FIELD}${field.userMetaKey}`
  const errorAttributes = hasError ? ({ "aria-invalid": "true", "aria-describedby": "error" } as const) : {}
  const shared = { id: name, name, required: field.isRequired, ...errorAttributes }
  if (field.type === "radio" || field.type === "checkbox")
    return (
      <fieldset>
        <legend>{field.label}</legend>
        {field.options.map((option) => (
          <label>
            <input
              type={field.type}
              name={name}
              value={option}
              checked={chosen(value, option)}
              required={field.type === "radio" && field.isRequired}
              {...errorAttributes}
            />
            {option}
          </label>
        ))}
      </fieldset>
    )
  return (
    <>
      <label for={name}>{field.label}</label>
      {field.type === "dropdown" ? (
        <select {...shared}>
          <option value="">{t("sign-up.select")}</option>
          {field.options.map((option) => (
            <option value={option} selected={chosen(value, option)}>
              {option}
            </option>
          ))}
        </select>
      ) : field.type === "textarea" ? (
        <textarea {...shared} rows={4} placeholder={field.defaultValue ?? undefined}>
          {textOf(value)}
        </textarea>
      ) : (
        <input {...shared} type={field.type} value={textOf(value)} placeholder={field.defaultValue ?? undefined} />
      )}
    </>
  )
}

/** The sign-up form. It works without JavaScript. */
export const SignUpPage = ({ fields, values = {}, error, faults = [] }: Props) => {
  const { site, signIn, words } = useFrame()
  const { t } = words
  const input = (name: string, label: string, more: { type: string; autocomplete: string; required: boolean }) => (
    <>
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        value={textOf(values[name])}
        {...(faults.includes(name) && { "aria-invalid": "true", "aria-describedby": "error" })}
        {...more}
      />
    </>
  )
  return (
    <Layout title={t("sign-up")}>
      <main>
        <h1>{t("sign-up.at", { site })}</h1>
        <p>{t("sign-up.text")}</p>
        <FormError error={error} />
        <form method="post" action="/sign-up" aria-describedby={error ? "error" : undefined}>
          {input("firstName", t("sign-up.first-name"), { type: "text", autocomplete: "given-name", required: true })}
          {input("lastName", t("sign-up.last-name"), { type: "text", autocomplete: "family-name", required: false })}
          {input("email", t("email"), { type: "email", autocomplete: "username", required: true })}
          {fields.map((field) => (
            <CustomField
              field={field}
              value={values[`${META_FIELD}${field.userMetaKey}`]}
              hasError={faults.includes(`customUserMetas.${field.userMetaKey}`)}
            />
          ))}
          <button type="submit">{t("sign-up")}</button>
        </form>
        <p>
          <a href={signIn}>{t("sign-in")}</a>
        </p>
      </main>
    </Layout>
  )
}
