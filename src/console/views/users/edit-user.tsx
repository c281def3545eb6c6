import { useState } from "preact/hooks"
import { useRoute } from "preact-iso"
import { LecternError, type Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { may, useMe } from "../../api/me.tsx"
import { readRecord, useChange, useRead, useRecord, type Versioned } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Form, type Values } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { leave } from "../../ui/unsaved-changes.ts"
import { useGo } from "../../ui/url-state.ts"
import { categoriesNamed } from "./lookups.ts"
import { customValues, pictureOf, type User, type UserChoices, UserFields, useUserChoices } from "./user-fields.tsx"
import { PEOPLE } from "./user-mutations.ts"

const shownValue = (value: unknown) => (value === null || value === "" ? t("none") : String(value))

/** What somebody else changed between two readings, as it is called in the form. */
function changesBetween(before: User, after: User) {
  const members = [
    { label: t("users:first-name"), of: (user: User) => user.firstName },
    { label: t("users:last-name"), of: (user: User) => user.lastName },
    { label: t("users:email"), of: (user: User) => user.email },
    { label: t("users:role"), of: (user: User) => user.userType },
    { label: t("users:picture"), of: pictureOf },
    { label: t("users:note"), of: (user: User) => user.internal_note },
    { label: t("users:suspend.account"), of: (user: User) => (user.disabled ? t("yes") : t("no")) },
    ...Object.entries(after.customUserMetas).map(([key, { label }]) => ({
      label,
      of: (user: User) => user.customUserMetas[key]?.submitted_value ?? "",
    })),
  ]
  return members
    .filter(({ of }) => of(before) !== of(after))
    .map(({ label, of }) => ({ label, was: shownValue(of(before)), is: shownValue(of(after)) }))
}

/** What the form says of a user: what it does not show goes back as it was read. */
function bodyOf(values: Values, user: User, choices: UserChoices, categoryIds: readonly number[] | undefined) {
  const given = (name: string) => values.form.has(name)
  const wanted = values.all("userCategory").map(Number)
  const isMoved =
    categoryIds && (wanted.length !== categoryIds.length || wanted.some((id) => !categoryIds.includes(id)))
  const password = values.form.get("current_password")
  return {
    ...user,
    firstName: values.text("firstName"),
    lastName: values.text("lastName"),
    email: values.text("email"),
    avatar: values.text("avatar"),
    internal_note: values.form.has("internal_note") ? values.text("internal_note") : (user.internal_note ?? ""),
    ...(given("userType") && { userType: values.text("userType") }),
    ...(given("user_source_id") && { user_source_id: Number(values.text("user_source_id")) }),
    ...(isMoved && { userCategory: wanted }),
    ...(typeof password === "string" && password !== "" && { current_password: password }),
    customUserMetas: customValues(values, choices.fields),
  } satisfies Schemas["UserChanges"]
}

interface EditFormProps {
  read: Versioned<User>
  choices: UserChoices
  categoryIds: readonly number[] | undefined
}

function EditForm({ read, choices, categoryIds }: EditFormProps) {
  const me = useMe()
  const go = useGo()
  const { id } = read.record
  const [shown, show] = useState(read.record)
  const [version, setVersion] = useState(read.version)
  /** What is there now, where somebody else was quicker. */
  const [newer, setNewer] = useState<User>()
  const save = useChange({
    call: (body: Schemas["UserChanges"]) =>
      api.PUT("/api/user/{id}", { params: { path: { id } }, body, headers: { "if-match": version } }),
    changes: PEOPLE,
  })
  const submit = async (values: Values) => {
    const body = bodyOf(values, shown, choices, categoryIds)
    const isBoxShown = may(me, "staff") && id !== me.id
    try {
      await save.mutateAsync({ ...body, ...(isBoxShown && { disabled: values.checked("disabled") }) })
    } catch (failure) {
      if (failure instanceof LecternError && failure.status === 412) {
        const now = await readRecord("/api/user/{id}", { params: { path: { id } } })
        setNewer(now.record)
        setVersion(now.version)
      }
      throw failure
    }
    go(id === me.id ? "/account" : `/users/${id}`)
  }
  return (
    <Form
      key={JSON.stringify(shown)}
      submit={t("save")}
      onSubmit={submit}
      more={
        <button type="button" onClick={() => leave(() => go(id === me.id ? "/account" : `/users/${id}`))}>
          {t("cancel")}
        </button>
      }
    >
      {newer && (
        <section class="card" aria-labelledby="overtaken">
          <h2 id="overtaken">{t("users:conflict")}</h2>
          <dl class="facts">
            {changesBetween(shown, newer).flatMap(({ label, was, is }) => [
              <dt key={label}>{label}</dt>,
              <dd key={`${label} now`}>{t("users:conflict.change", { was, is })}</dd>,
            ])}
          </dl>
          <p>{t("users:conflict.text")}</p>
          <button
            type="button"
            onClick={() => {
              show(newer)
              setNewer(undefined)
            }}
          >
            {t("users:conflict.discard")}
          </button>
        </section>
      )}
      <UserFields choices={choices} user={shown} categoryIds={categoryIds} />
    </Form>
  )
}

/** Changes a user. Whoever was quicker is told of, and nothing of theirs is lost in silence. */
export default function EditUser() {
  const me = useMe()
  const id = Number(useRoute().params.id)
  const user = useRecord("/api/user/{id}", { params: { path: { id } } })
  const choices = useUserChoices()
  const email = user.data?.record.email
  // Which categories they are in, the list alone tells.
  const row = useRead(
    "/api/users/tabularlist",
    { params: { query: { page_size: 10, page_number: 1, search_param: { nameOrEmail: email ?? "" } } } },
    { enabled: email !== undefined && may(me, "staff") },
  )
  const names = row.data?.records.find((one) => one.id === id)?.user_category
  const isReady = !may(me, "staff") || row.data !== undefined || row.error !== null
  return (
    <Page
      title={
        user.data ? t("users:edit", { name: `${user.data.record.firstName} ${user.data.record.lastName}` }) : t("edit")
      }
      within={{ href: id === me.id ? "/console/account" : `/console/users/${id}`, label: t("back") }}
    >
      <Loaded of={user}>
        {(read) => (
          <Loaded of={isReady ? choices : { data: undefined, error: choices.error }}>
            {(known) => (
              <EditForm
                read={read}
                choices={known}
                categoryIds={names === undefined ? undefined : categoriesNamed(names, known.categories)}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}
