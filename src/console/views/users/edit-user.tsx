import { useState } from "preact/hooks"
import { useRoute } from "preact-iso"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { refetchOnConflict } from "../../api/conflict.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { fetchRecord, useChange, useEditableRecord, useRead, type Versioned } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { failedTitle, Loaded } from "../../ui/error-message.tsx"
import { Form, type Values } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { confirmLeave } from "../../ui/unsaved-changes.ts"
import { useNavigate } from "../../ui/url-state.ts"
import { findCategoryIds } from "./lookups.ts"
import {
  customAvatar,
  customFieldValues,
  type User,
  type UserChoices,
  UserFields,
  useUserChoices,
} from "./user-fields.tsx"
import { USER_QUERIES } from "./user-mutations.ts"

const displayValue = (value: unknown) => (value === null || value === "" ? t("none") : String(value))

/** The fields that differ between two versions of a user, with their form labels. */
function changesBetween(before: User, after: User) {
  const fields = [
    { label: t("users:first-name"), getValue: (user: User) => user.firstName },
    { label: t("users:last-name"), getValue: (user: User) => user.lastName },
    { label: t("users:email"), getValue: (user: User) => user.email },
    { label: t("users:role"), getValue: (user: User) => user.userType },
    { label: t("external-id"), getValue: (user: User) => user.externalId },
    { label: t("users:picture"), getValue: customAvatar },
    { label: t("users:note"), getValue: (user: User) => user.internal_note },
    { label: t("users:suspend.account"), getValue: (user: User) => (user.disabled ? t("yes") : t("no")) },
    ...Object.entries(after.customUserMetas).map(([key, { label }]) => ({
      label,
      getValue: (user: User) => user.customUserMetas[key]?.submitted_value ?? "",
    })),
  ]
  return fields
    .filter(({ getValue }) => getValue(before) !== getValue(after))
    .map(({ label, getValue }) => ({ label, was: displayValue(getValue(before)), is: displayValue(getValue(after)) }))
}

/** The request body. Fields that the form does not show keep their values. */
function toBody(values: Values, user: User, choices: UserChoices, categoryIds: readonly number[] | undefined) {
  const isInForm = (name: string) => values.form.has(name)
  const selectedIds = values.all("userCategory").map(Number)
  const areCategoriesChanged =
    categoryIds && (selectedIds.length !== categoryIds.length || selectedIds.some((id) => !categoryIds.includes(id)))
  const password = values.form.get("current_password")
  return {
    ...user,
    firstName: values.text("firstName"),
    lastName: values.text("lastName"),
    email: values.text("email"),
    avatar: values.text("avatar"),
    internal_note: values.form.has("internal_note") ? values.text("internal_note") : (user.internal_note ?? ""),
    ...(isInForm("userType") && { userType: values.text("userType") }),
    ...(isInForm("externalId") && { externalId: values.text("externalId") }),
    ...(isInForm("user_source_id") && { user_source_id: Number(values.text("user_source_id")) }),
    ...(areCategoriesChanged && { userCategory: selectedIds }),
    ...(typeof password === "string" && password !== "" && { current_password: password }),
    customUserMetas: customFieldValues(values, choices.fields, user),
  } satisfies Schemas["UserChanges"]
}

interface EditFormProps {
  loaded: Versioned<User>
  choices: UserChoices
  categoryIds: readonly number[] | undefined
}

function EditForm({ loaded, choices, categoryIds }: EditFormProps) {
  const me = useMe()
  const go = useNavigate()
  const { id } = loaded.record
  const [formUser, setFormUser] = useState(loaded.record)
  const [version, setVersion] = useState(loaded.version)
  /** The stored user, if someone else changed it since the form was opened. */
  const [conflict, setConflict] = useState<User>()
  const save = useChange({
    call: (body: Schemas["UserChanges"]) =>
      api.PUT("/api/user/{id}", { params: { path: { id } }, body, headers: { "if-match": version } }),
    invalidates: USER_QUERIES,
  })
  const submit = async (values: Values) => {
    // What the form does not show is taken from the stored user.
    const body = toBody(values, conflict ?? formUser, choices, categoryIds)
    const canSuspend = hasAccess(me, "staff") && id !== me.id
    await refetchOnConflict(
      () => save.mutateAsync({ ...body, ...(canSuspend && { disabled: values.checked("disabled") }) }),
      async () => {
        const current = await fetchRecord("/api/user/{id}", { params: { path: { id } } })
        setConflict(current.record)
        setVersion(current.version)
      },
    )
    go(id === me.id ? "/account" : `/users/${id}`)
  }
  return (
    <Form
      key={JSON.stringify(formUser)}
      submit={t("save")}
      onSubmit={submit}
      more={
        <button type="button" onClick={() => confirmLeave(() => go(id === me.id ? "/account" : `/users/${id}`))}>
          {t("cancel")}
        </button>
      }
    >
      {conflict && (
        <section class="card" aria-labelledby="conflict">
          <h2 id="conflict">{t("users:conflict")}</h2>
          <dl class="facts">
            {changesBetween(formUser, conflict).flatMap(({ label, was, is }) => [
              <dt key={label}>{label}</dt>,
              <dd key={`${label} now`}>{t("users:conflict.change", { was, is })}</dd>,
            ])}
          </dl>
          <p>{t("users:conflict.text")}</p>
          <button
            type="button"
            onClick={() => {
              setFormUser(conflict)
              setConflict(undefined)
            }}
          >
            {t("users:conflict.discard")}
          </button>
        </section>
      )}
      <UserFields choices={choices} user={formUser} categoryIds={categoryIds} />
    </Form>
  )
}

/** Edits a user, and shows concurrent changes of others before they are overwritten. */
export default function EditUser() {
  const me = useMe()
  const id = Number(useRoute().params.id)
  const user = useEditableRecord("/api/user/{id}", { params: { path: { id } } })
  const choices = useUserChoices()
  const email = user.data?.record.email
  // Only the list contains the categories of a user.
  const row = useRead(
    "/api/users/tabularlist",
    { params: { query: { page_size: 10, page_number: 1, search_param: { nameOrEmail: email ?? "" } } } },
    { enabled: email !== undefined && hasAccess(me, "staff") },
  )
  const names = row.data?.records.find((candidate) => candidate.id === id)?.user_category
  const isReady = !hasAccess(me, "staff") || row.data !== undefined || row.error !== null
  return (
    <Page
      title={
        failedTitle(user) ??
        (user.data
          ? t("users:edit", { name: `${user.data.record.firstName} ${user.data.record.lastName}` })
          : t("edit"))
      }
      parent={{ href: id === me.id ? "/console/account" : `/console/users/${id}`, label: t("back") }}
    >
      <Loaded query={user}>
        {(loaded) => (
          <Loaded query={isReady ? choices : { data: undefined, error: choices.error }}>
            {(loadedChoices) => (
              <EditForm
                loaded={loaded}
                choices={loadedChoices}
                categoryIds={names === undefined ? undefined : findCategoryIds(names, loadedChoices.categories)}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}
