import { useQuery } from "@tanstack/preact-query"
import { useState } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { Select, TextField, type Values } from "../../ui/form.tsx"
import { HtmlField } from "../../ui/html-field.tsx"
import { Picker } from "../../ui/picker.tsx"

type Announcement = Schemas["Announcement"]
type Rule = Announcement["sending_rules"]

const RULES: readonly Rule[] = ["all", "specific_users", "specific_course_users"]
/** Of so many of whom it is for the names are read; the others are shown by their ids. */
const NAMED = 20

/** A moment as an input of the browser's own clocks has it. */
function inputTime(iso: string | null): string {
  if (!iso) return ""
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const numbered = (ids: readonly number[]): Choice[] =>
  ids.map((id) => ({ id, name: t("announcements:record", { id }) }))

/** The records of these ids, the first of them by their names. One that cannot be read is shown by its id. */
async function named(ids: readonly number[], nameOf: (id: number) => Promise<string>): Promise<Choice[]> {
  const read = await Promise.allSettled(ids.slice(0, NAMED).map(nameOf))
  return numbered(ids).map((choice, at) => {
    const one = read[at]
    return one?.status === "fulfilled" ? { ...choice, name: one.value } : choice
  })
}

interface Audience {
  users: readonly Choice[]
  courses: readonly Choice[]
  portals: readonly Choice[]
}

/** Whom an announcement is for, by their names. */
async function audienceOf({ user_ids = [], course_ids = [], portal_ids = [] }: Announcement): Promise<Audience> {
  const path = (id: number) => ({ params: { path: { id } } })
  const [users, courses, portals] = await Promise.all([
    named(user_ids, async (id) => {
      const { data } = await api.GET("/api/user/{id}", path(id))
      return `${data.firstName} ${data.lastName} (${data.email})`
    }),
    named(course_ids, async (id) => (await api.GET("/api/course/{id}", path(id))).data.name),
    named(portal_ids, async (id) => (await api.GET("/api/portal/{id}", path(id))).data.name),
  ])
  return { users, courses, portals }
}

/** Whom it is for: everybody, some users or the learners of some courses, in all portals or some. */
function AudienceFields({ rule: first, audience }: { rule: Rule; audience: Audience }) {
  const [rule, setRule] = useState(first)
  const [users, setUsers] = useState(audience.users)
  const [courses, setCourses] = useState(audience.courses)
  const [portals, setPortals] = useState(audience.portals)
  return (
    <>
      <Select
        name="sending_rules"
        label={t("announcements:audience")}
        value={rule}
        options={RULES.map((value) => ({ value, label: t(`announcements:audience.${value}`) }))}
        onChange={(value) => setRule(RULES.find((one) => one === value) ?? "all")}
      />
      {rule === "specific_users" && (
        <Picker
          name="user_ids"
          label={t("announcements:users")}
          path="/api/users/lookup"
          query={(search_term) => (search_term ? { search_term } : {})}
          choiceOf={({ id, full_name, email }) => ({ id, name: `${full_name} (${email})` })}
          chosen={users}
          onChoose={setUsers}
        />
      )}
      {rule === "specific_course_users" && (
        <Picker
          name="course_ids"
          label={t("announcements:courses")}
          path="/api/courses/tabularlist"
          query={(courseName) => (courseName ? { search_param: { courseName } } : {})}
          choiceOf={({ id, name }) => ({ id, name })}
          chosen={courses}
          onChoose={setCourses}
        />
      )}
      <Picker
        name="portal_ids"
        label={t("announcements:portals")}
        path="/api/portal/tabularlist"
        query={(name) => (name ? { search_param: { name } } : {})}
        choiceOf={({ id, name }) => ({ id, name })}
        chosen={portals}
        onChoose={setPortals}
      />
    </>
  )
}

const NOBODY: Audience = { users: [], courses: [], portals: [] }

/** An announcement with whom it is for: a form that knew only the one would take the other away. */
export const useAudience = (of: Announcement) =>
  useQuery({ queryKey: ["audience", of], queryFn: () => audienceOf(of), gcTime: 0 })

interface AnnouncementFieldsProps {
  /** Left out: a new one. */
  given?: { announcement: Announcement; audience: Audience }
}

/** What an announcement says, to whom, and how long. */
export const AnnouncementFields = ({ given }: AnnouncementFieldsProps) => (
  <>
    <TextField
      name="heading"
      label={t("announcements:heading")}
      required
      maxLength={255}
      defaultValue={given?.announcement.heading}
    />
    <HtmlField name="content" required label={t("announcements:content")} value={given?.announcement.content ?? ""} />
    <AudienceFields rule={given?.announcement.sending_rules ?? "all"} audience={given?.audience ?? NOBODY} />
    <TextField
      name="expiry"
      label={t("announcements:expiry")}
      hint={t("announcements:expiry.hint")}
      type="datetime-local"
      defaultValue={inputTime(given?.announcement.expiry ?? null)}
    />
  </>
)

/** The body of an announcement's create and change. A moment that was not touched stays, to the millisecond. */
export function announcementBody(values: Values, of?: Announcement) {
  const rule = RULES.find((one) => one === values.text("sending_rules")) ?? "all"
  const expiry = values.text("expiry")
  const kept = of?.expiry ?? null
  return {
    heading: values.text("heading"),
    content: values.text("content"),
    sending_rules: rule,
    ...(rule === "specific_users" && { user_ids: values.all("user_ids").map(Number) }),
    ...(rule === "specific_course_users" && { course_ids: values.all("course_ids").map(Number) }),
    portal_ids: values.all("portal_ids").map(Number),
    expiry: expiry === inputTime(kept) ? kept : expiry ? new Date(expiry).toISOString() : null,
  }
}
