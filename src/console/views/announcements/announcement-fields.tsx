import { keepPreviousData, useQuery } from "@tanstack/preact-query"
import { useState } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { Select, TextField, type Values } from "../../ui/form.tsx"
import { Picker } from "../../ui/picker.tsx"
import { RichTextField } from "../../ui/rich-text-field.tsx"
import { toInputTime } from "../../ui/time.tsx"

type Announcement = Schemas["Announcement"]
type SendingRule = Announcement["sending_rules"]

const SENDING_RULES: readonly SendingRule[] = ["all", "specific_users", "specific_course_users"]
/** Maximum number of recipients whose names are loaded; the others show their ids. */
const MAX_LOADED_NAMES = 20

const toNumberedChoices = (ids: readonly number[]): Choice[] =>
  ids.map((id) => ({ id, name: t("announcements:record", { id }) }))

/** Loads the names of the first records; the others and those that fail to load show their ids. */
async function loadChoices(ids: readonly number[], nameOf: (id: number) => Promise<string>): Promise<Choice[]> {
  const results = await Promise.allSettled(ids.slice(0, MAX_LOADED_NAMES).map(nameOf))
  return toNumberedChoices(ids).map((choice, index) => {
    const result = results[index]
    return result?.status === "fulfilled" ? { ...choice, name: result.value } : choice
  })
}

interface Audience {
  users: readonly Choice[]
  courses: readonly Choice[]
  portals: readonly Choice[]
}

/** Loads the names of the recipients. */
async function loadAudience({ user_ids = [], course_ids = [], portal_ids = [] }: Announcement): Promise<Audience> {
  const path = (id: number) => ({ params: { path: { id } } })
  const [users, courses, portals] = await Promise.all([
    loadChoices(user_ids, async (id) => {
      const { data } = await api.GET("/api/user/{id}", path(id))
      return `${data.firstName} ${data.lastName} (${data.email})`
    }),
    loadChoices(course_ids, async (id) => (await api.GET("/api/course/{id}", path(id))).data.name),
    loadChoices(portal_ids, async (id) => (await api.GET("/api/portal/{id}", path(id))).data.name),
  ])
  return { users, courses, portals }
}

/** All users, specific users or learners in courses, optionally limited to portals. */
function AudienceFields({ rule: initialRule, audience }: { rule: SendingRule; audience: Audience }) {
  const [rule, setRule] = useState(initialRule)
  const [users, setUsers] = useState(audience.users)
  const [courses, setCourses] = useState(audience.courses)
  const [portals, setPortals] = useState(audience.portals)
  return (
    <>
      <Select
        name="sending_rules"
        label={t("announcements:audience")}
        value={rule}
        options={SENDING_RULES.map((value) => ({ value, label: t(`announcements:audience.${value}`) }))}
        onChange={(value) => setRule(SENDING_RULES.find((candidate) => candidate === value) ?? "all")}
      />
      {rule === "specific_users" && (
        <Picker
          name="user_ids"
          label={t("announcements:users")}
          path="/api/users/lookup"
          query={(search_term) => (search_term ? { search_term } : {})}
          toChoice={({ id, full_name, email }) => ({ id, name: `${full_name} (${email})` })}
          selected={users}
          onSelect={setUsers}
        />
      )}
      {rule === "specific_course_users" && (
        <Picker
          name="course_ids"
          label={t("announcements:courses")}
          path="/api/courses/tabularlist"
          query={(courseName) => (courseName ? { search_param: { courseName } } : {})}
          toChoice={({ id, name }) => ({ id, name })}
          selected={courses}
          onSelect={setCourses}
        />
      )}
      <Picker
        name="portal_ids"
        label={t("announcements:portals")}
        path="/api/portal/tabularlist"
        query={(name) => (name ? { search_param: { name } } : {})}
        toChoice={({ id, name }) => ({ id, name })}
        selected={portals}
        onSelect={setPortals}
      />
    </>
  )
}

const NO_AUDIENCE: Audience = { users: [], courses: [], portals: [] }

/** The audience must load before the form: saving without it would remove the recipients. */
export const useAudience = (announcement: Announcement) =>
  useQuery({
    queryKey: ["audience", announcement],
    queryFn: () => loadAudience(announcement),
    gcTime: 0,
    // The form keeps its input while a changed announcement is read again.
    placeholderData: keepPreviousData,
  })

interface AnnouncementFieldsProps {
  /** Omit for a new announcement. */
  initial?: { announcement: Announcement; audience: Audience }
  /** A draft of the texts. */
  text?: AnnouncementText | undefined
}

type AnnouncementText = ReturnType<typeof toAnnouncementText>

/** What a person writes, for its draft. */
export const toAnnouncementText = (values: Values) => ({
  heading: values.text("heading"),
  content: values.text("content"),
})

export const AnnouncementFields = ({ initial, text }: AnnouncementFieldsProps) => (
  <div class="form-part in-order">
    <TextField
      name="heading"
      label={t("announcements:heading")}
      required
      maxLength={255}
      defaultValue={text?.heading ?? initial?.announcement.heading}
    />
    <RichTextField
      name="content"
      label={t("announcements:content")}
      value={text?.content ?? initial?.announcement.content ?? ""}
    />
    <AudienceFields
      key={JSON.stringify([initial?.announcement.sending_rules, initial?.audience])}
      rule={initial?.announcement.sending_rules ?? "all"}
      audience={initial?.audience ?? NO_AUDIENCE}
    />
    <TextField
      name="expiry"
      label={t("announcements:expiry")}
      hint={t("announcements:expiry.hint")}
      type="datetime-local"
      defaultValue={toInputTime(initial?.announcement.expiry ?? null)}
    />
  </div>
)

/** The request body to create or change an announcement. An unedited expiry keeps its exact value. */
export function toAnnouncementBody(values: Values, announcement?: Announcement) {
  const rule = SENDING_RULES.find((candidate) => candidate === values.text("sending_rules")) ?? "all"
  const expiry = values.text("expiry")
  const storedExpiry = announcement?.expiry ?? null
  return {
    heading: values.text("heading"),
    content: values.text("content"),
    sending_rules: rule,
    ...(rule === "specific_users" && { user_ids: values.all("user_ids").map(Number) }),
    ...(rule === "specific_course_users" && { course_ids: values.all("course_ids").map(Number) }),
    portal_ids: values.all("portal_ids").map(Number),
    expiry: expiry === toInputTime(storedExpiry) ? storedExpiry : expiry ? new Date(expiry).toISOString() : null,
  }
}
