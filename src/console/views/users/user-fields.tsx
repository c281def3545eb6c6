import type { DataOf } from "../../../client/types.ts"
import { may, mayEdit, useMe } from "../../api/me.tsx"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { CheckBox, Choices, Select, TextArea, TextField, type Values } from "../../ui/form.tsx"
import { CHOICES, categoryOptions } from "./lookups.ts"

export type User = DataOf<"/api/user/{id}", "get">
type CustomField = DataOf<"/api/users/customUserFields", "get">["fields"][number]

/** What a form for users is made of; undefined: not read yet. */
export function useUserChoices() {
  const types = useRead("/api/userType/lookup")
  const fields = useRead("/api/users/customUserFields")
  const sources = useRead("/api/user-source", CHOICES)
  const categories = useRead("/api/categories/user/lookup", CHOICES)
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

const metaName = (key: string) => `customUserMetas.${key}`

/** The options of a field: what is sent, and the words for it. */
const optionsOf = (field: CustomField, user?: User) => {
  const values = user?.customUserMetas[field.userMetaKey]?.option_value
  return field.optionLabel.map((label, at) => ({ value: values?.[at] ?? label, label }))
}

/** A custom field as its type asks for. */
function CustomFieldInput({ field, user }: { field: CustomField; user?: User | undefined }) {
  const name = metaName(field.userMetaKey)
  const value = user?.customUserMetas[field.userMetaKey]?.submitted_value ?? ""
  const label = field.isRequired ? t("users:required", { label: field.label }) : field.label
  // Required alone of a new user: what an older one never answered keeps nobody from mending their name.
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
      return <Choices {...shared} options={optionsOf(field, user)} values={value ? value.split(",") : []} />
    default:
      return <TextField {...shared} defaultValue={value} required={required} />
  }
}

/** The address or drawing of their picture; empty: it is made of their initials. */
export const pictureOf = ({ avatar }: User) => (/^(https?:|\/|<)/.test(avatar) ? avatar : "")

/** What was filled in for the custom fields, by their keys. */
export const customValues = (values: Values, fields: readonly CustomField[]) =>
  Object.fromEntries(
    fields.map(({ userMetaKey: key, type }) => [
      key,
      type === "checkbox" ? values.all(metaName(key)) : values.text(metaName(key)),
    ]),
  )

interface UserFieldsProps {
  choices: UserChoices
  /** As they are; left out: somebody new. */
  user?: User
  /** The categories that they are in; undefined: that cannot be told, and stays as it is. */
  categoryIds?: readonly number[] | undefined
}

/** The fields of a user. What the caller may not change is not there, and stays as it is. */
export function UserFields({ choices, user, categoryIds }: UserFieldsProps) {
  const me = useMe()
  const isStaff = may(me, "staff")
  const isSelf = user?.id === me.id
  const types = choices.types.map(({ db_value, display_name }) => ({ value: db_value, label: display_name }))
  const granted = types.filter(({ value }) => mayEdit(me, value))
  // Theirs is among them, also where the lookup does not name it: administrators of portals.
  const theirs = user && {
    value: user.userType,
    label: user.userType,
    ...types.find((one) => one.value === user.userType),
  }
  const roles = theirs && !granted.some(({ value }) => value === theirs.value) ? [...granted, theirs] : granted
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
      {isStaff && !isSelf && (
        <Select name="userType" label={t("users:role")} options={roles} value={user?.userType ?? "general"} />
      )}
      {user && (
        <TextField
          name="avatar"
          label={t("users:picture")}
          hint={t("users:picture.hint")}
          defaultValue={pictureOf(user)}
        />
      )}
      {isStaff && (
        <Select
          name="user_source_id"
          label={t("users:source")}
          options={choices.sources.map(({ id, name }) => ({ value: id, label: name }))}
          value={user?.user_source_id}
          {...(!user && { none: t("users:source.none") })}
        />
      )}
      {isStaff && categoryIds && choices.categories.length > 0 && (
        <Choices
          name="userCategory"
          label={t("users:categories")}
          options={categoryOptions(choices.categories)}
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
