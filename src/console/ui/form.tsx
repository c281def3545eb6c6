import { type ComponentChildren, createContext } from "preact"
import { useContext, useId, useRef, useState } from "preact/hooks"
import { LecternError } from "../../client/index.ts"
import { toSignIn } from "../api/client.ts"
import { t } from "../messages/messages.ts"
import { Problem } from "./error-message.tsx"
import { labeled } from "./field-labels.ts"
import { useFormChanges } from "./unsaved-changes.ts"

/** What the API refused, by the name of the field, and how the fields are called on the screen. */
interface State {
  refused: Record<string, string[]>
  labels: Map<string, string>
}
const FormState = createContext<State>({ refused: {}, labels: new Map() })

/** What the API refused of a field, which is called by its label from then on. */
function useFaults(name: string, label: string): string[] {
  const { refused, labels } = useContext(FormState)
  labels.set(name, label)
  return (refused[name] ?? []).map((fault) => labeled(fault, labels, [name]))
}

interface FormProps {
  /** Sends what was filled in. What it throws is shown in the form, at the fields where it names any. */
  onSubmit: (values: Values) => Promise<unknown>
  submit: string
  /** What it does cannot be undone. */
  danger?: boolean
  children: ComponentChildren
  /** Buttons beside the one that sends. */
  more?: ComponentChildren
  /** false: it cannot be sent as it is, such as while nothing is chosen. */
  isReady?: boolean
  /** What the form holds besides its named fields, such as uploaded files: a change of it is an unsaved change too. */
  beside?: unknown
  /** What is filled in is stored elsewhere as it is written: leaving loses nothing. */
  isKept?: boolean
}

/** A filled form, read by the names of its fields. */
export class Values {
  readonly form: FormData
  constructor(form: FormData) {
    this.form = form
  }
  /** Text without spaces around it; empty where nothing was filled in. */
  text(name: string): string {
    const value = this.form.get(name)
    return typeof value === "string" ? value.trim() : ""
  }
  /** Text as it was written; undefined where nothing was. */
  optional(name: string): string | undefined {
    return this.text(name) || undefined
  }
  /** A number; undefined where nothing was filled in. */
  number(name: string): number | undefined {
    return this.text(name) === "" ? undefined : Number(this.text(name))
  }
  checked(name: string): boolean {
    return this.form.get(name) !== null
  }
  /** All that were chosen under one name. */
  all(name: string): string[] {
    return this.form.getAll(name).filter((value) => typeof value === "string")
  }
  file(name: string): File | undefined {
    const value = this.form.get(name)
    return value instanceof File && value.size > 0 ? value : undefined
  }
}

/**
 * A form that sends itself once at a time, and tells what the API refuses where it is to be mended. Leaving it with
 * unsaved changes asks first.
 */
export function Form(props: FormProps) {
  const { onSubmit, submit, danger = false, children, more, isReady = true, beside, isKept = false } = props
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const labels = useRef(new Map<string, string>()).current
  const refused = error instanceof LecternError ? error.errors : {}
  const changes = useFormChanges(form, beside, isKept)
  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    if (busy || !form.current) return
    setBusy(true)
    setError(undefined)
    try {
      changes.begun()
      await onSubmit(new Values(new FormData(form.current)))
      changes.saved()
    } catch (failure) {
      if (!toSignIn(failure)) setError(failure)
      const first = failure instanceof LecternError ? Object.keys(failure.errors)[0] : undefined
      const field = first === undefined ? null : form.current.elements.namedItem(first)
      if (field instanceof HTMLElement) field.focus()
      // What the API said stands at the form's beginning, which may be far above the button.
      else form.current.scrollIntoView({ block: "start" })
    } finally {
      setBusy(false)
    }
  }
  return (
    <FormState.Provider value={{ refused, labels }}>
      <form ref={form} class="form" onSubmit={send} aria-busy={busy}>
        <Problem error={error} labels={labels} />
        {children}
        <div class="actions">
          <button type="submit" class={danger ? "danger" : "primary"} disabled={busy || !isReady}>
            {busy ? t("working") : submit}
          </button>
          {more}
        </div>
      </form>
    </FormState.Provider>
  )
}

/** What the API refused of a field; nothing where it did not. */
export function Faults({ name, label, id }: { name: string; label: string; id: string }) {
  const faults = useFaults(name, label)
  if (faults.length === 0) return null
  return (
    <p class="fault" id={id} lang="en" dir="auto">
      {faults.join(" ")}
    </p>
  )
}

interface FieldProps {
  name: string
  label: string
  hint?: string
  children: (attributes: {
    id: string
    name: string
    "aria-invalid"?: "true"
    "aria-describedby"?: string
  }) => ComponentChildren
}

/** A labeled field with its hint, and with what the API refused of it. */
export function Field({ name, label, hint, children }: FieldProps) {
  const id = useId()
  const faults = useFaults(name, label)
  const described = [...(hint ? [`${id}-hint`] : []), ...(faults.length > 0 ? [`${id}-fault`] : [])].join(" ")
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        name,
        ...(faults.length > 0 && { "aria-invalid": "true" as const }),
        ...(described && { "aria-describedby": described }),
      })}
      {hint && (
        <p class="quiet" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <Faults id={`${id}-fault`} name={name} label={label} />
    </div>
  )
}

type Native<Tag extends "input" | "textarea"> = Omit<preact.JSX.IntrinsicElements[Tag], "name" | "id">

export const TextField = ({
  name,
  label,
  hint,
  ...rest
}: { name: string; label: string; hint?: string } & Native<"input">) => (
  <Field name={name} label={label} {...(hint && { hint })}>
    {(attributes) => <input type="text" {...rest} {...attributes} />}
  </Field>
)

export const TextArea = ({
  name,
  label,
  hint,
  ...rest
}: { name: string; label: string; hint?: string } & Native<"textarea">) => (
  <Field name={name} label={label} {...(hint && { hint })}>
    {(attributes) => <textarea rows={5} {...rest} {...attributes} />}
  </Field>
)

/** What can be chosen: the value that is sent, and the words for it. */
export type Options = readonly { value: string | number; label: string }[]

interface SelectProps {
  name: string
  label: string
  hint?: string
  options: Options
  value?: string | number | undefined
  /** The words for no choice; without them there is always one. */
  none?: string
  multiple?: boolean
  required?: boolean
  onChange?: (value: string) => void
}

export const Select = ({ name, label, hint, options, value, none, onChange, ...rest }: SelectProps) => (
  <Field name={name} label={label} {...(hint && { hint })}>
    {(attributes) => (
      <select {...attributes} {...rest} onChange={(event) => onChange?.(event.currentTarget.value)}>
        {none !== undefined && (
          <option value="" selected={value === undefined || value === ""}>
            {none}
          </option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={String(option.value) === String(value)}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </Field>
)

export const CheckBox = ({ name, label, ...rest }: { name: string; label: string } & Native<"input">) => {
  const id = useId()
  return (
    <div class="check">
      <input type="checkbox" id={id} name={name} {...rest} />
      <label for={id}>{label}</label>
    </div>
  )
}

interface ChoicesProps {
  name: string
  label: string
  hint?: string
  options: Options
  /** Those that are chosen at first. */
  values?: readonly (string | number)[]
  /** One of them alone. */
  single?: boolean
}

/** Boxes of which any can be chosen, or rounds of which one can. */
export const Choices = ({ name, label, hint, options, values = [], single }: ChoicesProps) => {
  const id = useId()
  const faults = useFaults(name, label)
  const chosen = new Set(values.map(String))
  const described = [...(hint ? [`${id}-hint`] : []), ...(faults.length > 0 ? [`${id}-fault`] : [])].join(" ")
  return (
    <fieldset class="choices" {...(described && { "aria-describedby": described })}>
      <legend>{label}</legend>
      {options.map(({ value, label: shown }, at) => (
        <div class="check" key={value}>
          <input
            type={single ? "radio" : "checkbox"}
            id={`${id}-${at}`}
            name={name}
            value={value}
            defaultChecked={chosen.has(String(value))}
          />
          <label for={`${id}-${at}`}>{shown}</label>
        </div>
      ))}
      {hint && (
        <p class="quiet" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <Faults id={`${id}-fault`} name={name} label={label} />
    </fieldset>
  )
}
