import { useState } from "preact/hooks"
import type { DataOf } from "../../../client/types.ts"
import { canEditUser, hasAccess, useMe } from "../../api/me.tsx"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { ExternalIdField } from "../../ui/external-id-field.tsx"
import { CheckBox, Choices, type Options, Select, TextArea, TextField, toOptions, type Values } from "../../ui/form.tsx"
import { roleAbout, roleName } from "../../ui/role-about.ts"

export type User = DataOf<"/api/user/{id}", "get">
type CustomField = DataOf<"/api/users/customUserFields", "get">["fields"][number]

/** The roles, fields, sources and categories of a user form; `data` is undefined until all have loaded. */
export function useUserChoices() {
  const types = useRead("/api/userType/lookup")
  const fields = useRead("/api/users/customUserFields")
  const sources = useRead("/api/user-source")
  const categories = useRead("/api/categories/user/lookup")
  const data =
    types.data && fields.data && sources.data && categories.data
      ? {
          types: types.data,
          fields: fields.data.fields,
          sources: sources.data.records,
          categories: categories.data,
        }
      : undefined
  return { data, error: types.error ?? fields.error ?? sources.error ?? categories.error }
}
export type UserChoices = NonNullable<ReturnType<typeof useUserChoices>["data"]>

const fieldName = (key: string) => `customUserMetas.${key}`

/** The stored values of a custom field: several for checkboxes. */
function storedValues({ userMetaKey, type }: CustomField, user: User | undefined): string[] {
  const value = user?.customUserMetas[userMetaKey]?.submitted_value
  if (!value) return []
  return type === "checkbox" ? value.split(",") : [value]
}

/** The options of a custom field. A stored value stays one, although the field no longer has it. */
const optionsOf = (field: CustomField, user: User | undefined) => {
  const values = user?.customUserMetas[field.userMetaKey]?.option_value
  const options = field.optionLabel.map((label, index) => ({ value: values?.[index] ?? label, label }))
  const removed = storedValues(field, user).filter((value) => !options.some((option) => option.value === value))
  return [...options, ...removed.map((value) => ({ value, label: value }))]
}

function CustomFieldInput({ field, user }: { field: CustomField; user?: User | undefined }) {
  const name = fieldName(field.userMetaKey)
  const value = user?.customUserMetas[field.userMetaKey]?.submitted_value ?? ""
  const label = field.isRequired ? t("users:required", { label: field.label }) : field.label
  // Only required for new users: a missing answer must not block other changes to existing users.
  const required = field.isRequired && !user
  const hint = field.defaultValue ?? ""
  const shared = { name, label, ...(hint && { hint: t("users:default", { value: hint }) }) }
  switch (field.type) {
    case "textarea":
      return <TextArea {...shared} defaultValue={value} required={required} />
    case "date":
      return <TextField {...shared} type="date" defaultValue={value} required={required} />
    case "dropdown":
    case "radio":
      return (
        <Select
          {...shared}
          none={t("select.none")}
          value={value}
          required={required}
          options={optionsOf(field, user)}
        />
      )
    case "checkbox":
      return <Choices {...shared} options={optionsOf(field, user)} values={storedValues(field, user)} />
    default:
      return <TextField {...shared} defaultValue={value} required={required} />
  }
}

/** The image of a user; empty if the avatar is generated from the initials. */
export const customAvatar = ({ avatar }: User) => (/^(https?:|\/|<)/.test(avatar) ? avatar : "")

/** Whether other values than the stored ones are checked. */
function isChanged(selected: readonly string[], field: CustomField, user: User | undefined) {
  const stored = storedValues(field, user)
  return selected.length !== stored.length || selected.some((value) => !stored.includes(value))
}

/** Values of the custom fields, by key. Unchanged checkboxes are omitted: their options may have been removed. */
export function customFieldValues(values: Values, fields: readonly CustomField[], user?: User) {
  const result: Record<string, string | string[]> = {}
  for (const field of fields) {
    const name = fieldName(field.userMetaKey)
    if (field.type !== "checkbox") result[field.userMetaKey] = values.text(name)
    else if (isChanged(values.all(name), field, user)) result[field.userMetaKey] = values.all(name)
  }
  return result
}

/** The role, and what it may do. */
function RoleSelect({ options, value }: { options: Options; value: string }) {
  const [role, setRole] = useState(value)
  return (
    <Select
      name="userType"
      label={t("users:role")}
      hint={roleAbout(role)}
      options={options}
      value={role}
      onChange={setRole}
    />
  )
}

interface UserFieldsProps {
  choices: UserChoices
  /** Omit for a new user. */
  user?: User
  /** Categories of the user; undefined if they are unknown and must not be changed. */
  categoryIds?: readonly number[] | undefined
}

/** The fields of a user that the caller may change. */
export function UserFields({ choices, user, categoryIds }: UserFieldsProps) {
  const me = useMe()
  const isStaff = hasAccess(me, "staff")
  const isSelf = user?.id === me.id
  const types = choices.types.map(({ db_value }) => ({ value: db_value, label: roleName(db_value) }))
  const grantable = types.filter(({ value }) => canEditUser(me, value))
  // The current role is always an option; the lookup does not list portal administrators.
  const currentRole = user && {
    value: user.userType,
    label: user.userType,
    ...types.find((role) => role.value === user.userType),
  }
  const roles =
    currentRole && !grantable.some(({ value }) => value === currentRole.value) ? [...grantable, currentRole] : grantable
  return (
    <>
      <TextField
        name="firstName"
        label={t("users:first-name")}
        defaultValue={user?.firstName}
        required
        maxLength={100}
      />
      <TextField name="lastName" label={t("users:last-name")} defaultValue={user?.lastName} maxLength={100} />
      <TextField
        name="email"
        type="email"
        label={t("users:email")}
        defaultValue={user?.email}
        required
        maxLength={254}
        autocomplete="off"
      />
      {isSelf && (
        <TextField
          name="current_password"
          type="password"
          label={t("users:own-password")}
          hint={t("users:own-password.hint")}
          autocomplete="current-password"
        />
      )}
      {isStaff && !isSelf && <RoleSelect options={roles} value={user?.userType ?? "general"} />}
      {user && (
        <TextField
          name="avatar"
          label={t("users:picture")}
          hint={t("users:picture.hint")}
          defaultValue={customAvatar(user)}
        />
      )}
      {isStaff && <ExternalIdField record={user} />}
      {isStaff && (
        <Select
          name="user_source_id"
          label={t("users:source")}
          options={toOptions(choices.sources)}
          value={user?.user_source_id}
          {...(!user && { none: t("users:source.none") })}
        />
      )}
      {isStaff && categoryIds && choices.categories.length > 0 && (
        <Choices
          name="userCategory"
          label={t("users:categories")}
          options={toOptions(choices.categories)}
          values={categoryIds}
        />
      )}
      {choices.fields.map((field) => (
        <CustomFieldInput key={field.userMetaKey} field={field} user={user} />
      ))}
      {isStaff && user && (
        <>
          <TextArea
            name="internal_note"
            label={t("users:note")}
            hint={t("users:note.hint")}
            defaultValue={user.internal_note ?? ""}
          />
          {!isSelf && <CheckBox name="disabled" label={t("users:suspend.account")} defaultChecked={user.disabled} />}
        </>
      )}
    </>
  )
}
