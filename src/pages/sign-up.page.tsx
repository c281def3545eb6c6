import { Layout, useFrame } from "./page.tsx"

/** What the names of custom fields' inputs begin with; their meta key follows. */
export const META_FIELD = "meta:"

interface Field {
  type: "text" | "textarea" | "date" | "radio" | "checkbox" | "dropdown"
  label: string
  userMetaKey: string
  defaultValue: string | null
  isRequired: boolean
  options: string[]
}

type Given = Record<string, unknown>
interface Props {
  fields: Field[]
  /** What was given before, by input's name. */
  given?: Given
  error?: string | undefined
  /** The fields that the error is about, as the API names them. */
  faults?: readonly string[]
}

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined)
const chosen = (value: unknown, option: string) => (Array.isArray(value) ? value.includes(option) : value === option)

/** One custom field, as its type has it. */
const CustomField = ({ field, given, faulty }: { field: Field; given: unknown; faulty: boolean }) => {
  const name = `${META_FIELD}${field.userMetaKey}`
  const told = faulty ? ({ "aria-invalid": "true", "aria-describedby": "error" } as const) : {}
  const shared = { id: name, name, required: field.isRequired, ...told }
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
              checked={chosen(given, option)}
              required={field.type === "radio" && field.isRequired}
              {...told}
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
          <option value="">Choose</option>
          {field.options.map((option) => (
            <option value={option} selected={chosen(given, option)}>
              {option}
            </option>
          ))}
        </select>
      ) : field.type === "textarea" ? (
        <textarea {...shared} rows={4} placeholder={field.defaultValue ?? undefined}>
          {textOf(given)}
        </textarea>
      ) : (
        <input {...shared} type={field.type} value={textOf(given)} placeholder={field.defaultValue ?? undefined} />
      )}
    </>
  )
}

/** The sign-up form. It works without JavaScript. */
export const SignUpPage = ({ fields, given = {}, error, faults = [] }: Props) => {
  const input = (name: string, label: string, more: { type: string; autocomplete: string; required: boolean }) => (
    <>
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        value={textOf(given[name])}
        {...(faults.includes(name) && { "aria-invalid": "true", "aria-describedby": "error" })}
        {...more}
      />
    </>
  )
  return (
    <Layout title="Sign up">
      <main>
        <h1>{`Sign up at ${useFrame().site}`}</h1>
        <p>We send a link to your email address, with which you confirm it and choose a password.</p>
        {error && (
          <p id="error" class="error" role="alert">
            {error}
          </p>
        )}
        <form method="post" action="/sign-up" aria-describedby={error ? "error" : undefined}>
          {input("firstName", "First name", { type: "text", autocomplete: "given-name", required: true })}
          {input("lastName", "Last name", { type: "text", autocomplete: "family-name", required: false })}
          {input("email", "Email address", { type: "email", autocomplete: "username", required: true })}
          {fields.map((field) => (
            <CustomField
              field={field}
              given={given[`${META_FIELD}${field.userMetaKey}`]}
              faulty={faults.includes(`customUserMetas.${field.userMetaKey}`)}
            />
          ))}
          <button type="submit">Sign up</button>
        </form>
        <p>
          <a href={useFrame().signIn}>Sign in</a>
        </p>
      </main>
    </Layout>
  )
}
