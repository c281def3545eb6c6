import { CreditCard } from "lucide-preact"
import { useState } from "preact/hooks"
import type { DataOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useReads } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { TextField, type Values } from "../../ui/form.tsx"
import { Picker } from "../../ui/picker.tsx"
import { RecordsPage } from "../../ui/records-page.tsx"

type Membership = DataOf<"/api/membership/{id}", "get">

const MAX_DAYS = 36_500

const toBody = (values: Values) => ({
  name: values.text("name"),
  expiresAfterDays: values.number("expiresAfterDays") ?? null,
  // Until they have loaded, the stored courses stay.
  ...(values.form.has("courses_loaded") && { course_ids: values.all("course_ids").map(Number) }),
})

function Courses({ initial }: { initial: readonly Choice[] }) {
  const [selected, setSelected] = useState(initial)
  return (
    <>
      <input type="hidden" name="courses_loaded" />
      <Picker
        name="course_ids"
        label={t("organizations:membership.courses")}
        path="/api/courses/tabularlist"
        query={(courseName) => (courseName ? { search_param: { courseName } } : {})}
        toChoice={({ id, name }) => ({ id, name })}
        selected={selected}
        onSelect={setSelected}
      />
    </>
  )
}

function MembershipFields({ membership }: { membership: Membership | undefined }) {
  const courses = useReads(
    "/api/course/{id}",
    (membership?.course_ids ?? []).map((id) => ({ params: { path: { id } } })),
  )
  return (
    <>
      <TextField name="name" label={t("name")} defaultValue={membership?.name ?? ""} required maxLength={100} />
      <TextField
        name="expiresAfterDays"
        label={t("organizations:membership.days")}
        hint={t("organizations:membership.days.hint")}
        type="number"
        min={0}
        max={MAX_DAYS}
        defaultValue={membership?.expiresAfterDays ?? ""}
      />
      <Loaded query={courses}>{(loaded) => <Courses initial={loaded.map(({ id, name }) => ({ id, name }))} />}</Loaded>
    </>
  )
}

/** Memberships, which give courses for a number of days. */
export default function Memberships() {
  const me = useMe()
  return (
    <RecordsPage
      kind={{
        list: "/api/membership/tabularlist",
        record: "/api/membership/{id}",
        nameOf: ({ name }) => name,
        fields: (membership) => <MembershipFields membership={membership} />,
        toBody,
        create: (body) => api.POST("/api/membership/create", { body }),
        change: (id, body, headers) => api.PUT("/api/membership/{id}", { params: { path: { id } }, body, headers }),
        remove: (delete_ids) => api.POST("/api/membership/delete", { body: { delete_ids } }),
        invalidates: ["/api/membership"],
      }}
      icon={CreditCard}
      texts={{
        title: t("organizations:memberships"),
        new: t("organizations:membership.new"),
        edit: t("organizations:membership.edit"),
        delete: t("organizations:membership.delete"),
        deleteHint: t("organizations:membership.delete.hint"),
        empty: t("organizations:membership.empty"),
      }}
      canChange={hasAccess(me, "admin")}
      filters={[{ name: "name", label: t("organizations:search") }]}
      columns={[
        {
          key: "days",
          title: t("organizations:membership.days"),
          sort: "expiresAfterDays",
          numeric: true,
          render: ({ expiresAfterDays }) => (expiresAfterDays === null ? t("none") : number(expiresAfterDays)),
        },
      ]}
    />
  )
}
