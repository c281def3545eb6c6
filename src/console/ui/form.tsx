import { type ComponentChildren, createContext } from "preact"
import { useContext, useId, useRef, useState } from "preact/hooks"
import { LecternError } from "../../client/index.ts"
import { redirectToSignIn } from "../api/client.ts"
import { t } from "../messages/messages.ts"
import { fieldMessage } from "./api-message.ts"
import { ErrorMessage } from "./error-message.tsx"
import { useFormChanges } from "./unsaved-changes.ts"

/** Errors of the last submit, and the labels of the fields, both by API field. */
interface FormState {
  fieldErrors: Record<string, string[]>
  labels: Map<string, string>
}
const FormContext = createContext<FormState>({ fieldErrors: {}, labels: new Map() })

/** The errors of a field. Registers its label, which replaces the API name in messages. */
function useFieldErrors(name: string, label: string) {
  const { fieldErrors, labels } = useContext(FormContext)
  labels.set(name, label)
  return (fieldErrors[name] ?? []).map((message) => fieldMessage(name, message, labels))
}

interface FormProps {
  /**
   * Errors that it throws are shown in the form, next to the fields that they name. `false`: nothing is saved yet, so
   * the changes remain unsaved.
   */
  onSubmit: (values: Values) => Promise<unknown>
  /** Label of the submit button. */
  submit: string
  /** The action is irreversible. */
  danger?: boolean
  children: ComponentChildren
  /** Further buttons. */
  more?: ComponentChildren
  /** false: the submit button is disabled. */
  isReady?: boolean
  /** Values outside the named fields, such as uploaded files. A change counts as unsaved. */
  extraState?: unknown
  /** The input is saved elsewhere as it is typed: leaving loses nothing. */
  isAutoSaved?: boolean
  /** Called after each possible edit. `values` are undefined while the form has no unsaved changes. */
  onEdit?: (values: () => Values | undefined) => void
  /** The person discarded the changes. */
  onDiscard?: () => void
}

/** The submitted values, by field name. */
export class Values {
  readonly form: FormData
  constructor(form: FormData) {
    this.form = form
  }
  /** Trimmed text; "" if the field is empty. */
  text(name: string): string {
    const value = this.form.get(name)
    return typeof value === "string" ? value.trim() : ""
  }
  /** Trimmed text; undefined if the field is empty. */
  optional(name: string): string | undefined {
    return this.text(name) || undefined
  }
  /** undefined if the field is empty. */
  number(name: string): number | undefined {
    return this.text(name) === "" ? undefined : Number(this.text(name))
  }
  checked(name: string): boolean {
    return this.form.get(name) !== null
  }
  /** All values of a field with several. */
  all(name: string): string[] {
    return this.form.getAll(name).filter((value) => typeof value === "string")
  }
  file(name: string): File | undefined {
    const value = this.form.get(name)
    return value instanceof File && value.size > 0 ? value : undefined
  }
}

/** The control that a user sees: some submit their value with a hidden input. */
const focusableField = (field: Element | RadioNodeList | null | undefined) =>
  field instanceof HTMLInputElement && field.type === "hidden"
    ? field.closest(".field, fieldset")?.querySelector("input:not([type=hidden]), [contenteditable=true]")
    : field

/**
 * A form that shows API errors next to its fields, ignores repeated submits, and asks before unsaved changes are lost.
 */
export function Form(props: FormProps) {
  const {
    onSubmit,
    submit,
    danger = false,
    children,
    more,
    isReady = true,
    extraState,
    isAutoSaved = false,
    onEdit,
    onDiscard,
  } = props
  const [error, setError] = useState<unknown>()
  const [isBusy, setIsBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const labels = useRef(new Map<string, string>()).current
  const fieldErrors = error instanceof LecternError ? error.errors : {}
  const changes = useFormChanges(form, extraState, isAutoSaved, {
    onEdit: () => {
      const { current } = form
      if (current) onEdit?.(() => (changes.isChanged() ? new Values(new FormData(current)) : undefined))
    },
    onDiscard: () => onDiscard?.(),
  })
  const handleSubmit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isBusy || !form.current) return
    setIsBusy(true)
    setError(undefined)
    try {
      changes.onSubmitStart()
      const result = await onSubmit(new Values(new FormData(form.current)))
      if (result !== false) changes.onSubmitSuccess()
    } catch (failure) {
      if (!redirectToSignIn(failure)) setError(failure)
      const first = failure instanceof LecternError ? Object.keys(failure.errors)[0] : undefined
      const field = first === undefined ? null : focusableField(form.current?.elements.namedItem(first))
      if (field instanceof HTMLElement) {
        field.closest("details")?.setAttribute("open", "")
        field.focus()
      }
      // The error is at the top of the form, which may be far above the button.
      else form.current?.scrollIntoView({ block: "start" })
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <FormContext.Provider value={{ fieldErrors, labels }}>
      <form ref={form} class="form" onSubmit={handleSubmit} aria-busy={isBusy}>
        <ErrorMessage error={error} labels={labels} />
        {children}
        <div class="actions">
          {/* While it works it keeps the focus, which a disabled button would lose. */}
          <button type="submit" class={danger ? "danger" : "primary"} disabled={!isReady} aria-disabled={isBusy}>
            {isBusy ? t("working") : submit}
          </button>
          {more}
        </div>
      </form>
    </FormContext.Provider>
  )
}

/** The errors of a field. */
export function FieldErrors({ name, label, id }: { name: string; label: string; id: string }) {
  const errors = useFieldErrors(name, label)
  if (errors.length === 0) return null
  return (
    <p class="field-error" id={id} lang={errors.find(({ lang }) => lang)?.lang} dir="auto">
      {errors.map(({ text }) => text).join(" ")}
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

/** A labeled field with its hint and errors. */
export function Field({ name, label, hint, children }: FieldProps) {
  const id = useId()
  const errors = useFieldErrors(name, label)
  const describedBy = [...(hint ? [`${id}-hint`] : []), ...(errors.length > 0 ? [`${id}-error`] : [])].join(" ")
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        name,
        ...(errors.length > 0 && { "aria-invalid": "true" as const }),
        ...(describedBy && { "aria-describedby": describedBy }),
      })}
      {hint && (
        <p class="quiet" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldErrors id={`${id}-error`} name={name} label={label} />
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

/** Options of a select or checkbox group. */
export type Options = readonly { value: string | number; label: string }[]

/** The options to select a record by name. */
export const toOptions = (records: readonly { id: number; name: string }[] = []): Options =>
  records.map(({ id, name }) => ({ value: id, label: name }))

interface SelectProps {
  name: string
  label: string
  hint?: string
  options: Options
  value?: string | number | undefined
  /** Label of the empty option; without it there is none. */
  none?: string
  multiple?: boolean
  required?: boolean
  onChange?: (value: string, select: HTMLSelectElement) => void
}

export const Select = ({ name, label, hint, options, value, none, onChange, ...rest }: SelectProps) => (
  <Field name={name} label={label} {...(hint && { hint })}>
    {(attributes) => (
      <select
        {...attributes}
        {...rest}
        onChange={({ currentTarget }) => onChange?.(currentTarget.value, currentTarget)}
      >
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
  values?: readonly (string | number)[]
  /** Radio buttons instead of checkboxes. */
  single?: boolean
}

/** A group of checkboxes or radio buttons. */
export const Choices = ({ name, label, hint, options, values = [], single }: ChoicesProps) => {
  const id = useId()
  const errors = useFieldErrors(name, label)
  const checked = new Set(values.map(String))
  const describedBy = [...(hint ? [`${id}-hint`] : []), ...(errors.length > 0 ? [`${id}-error`] : [])].join(" ")
  return (
    <fieldset class="choices" {...(describedBy && { "aria-describedby": describedBy })}>
      <legend>{label}</legend>
      {options.map(({ value, label: optionLabel }, index) => (
        <div class="check" key={value}>
          <input
            type={single ? "radio" : "checkbox"}
            id={`${id}-${index}`}
            name={name}
            value={value}
            defaultChecked={checked.has(String(value))}
          />
          <label for={`${id}-${index}`}>{optionLabel}</label>
        </div>
      ))}
      {hint && (
        <p class="quiet" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldErrors id={`${id}-error`} name={name} label={label} />
    </fieldset>
  )
}
