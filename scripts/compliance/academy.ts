// What people do in the academy, through its API, and what the service reports about it.

import { failures } from "../lib/expect.ts"
import type { Json, RetryingClient } from "../lib/patient-client.ts"
import { query } from "../lib/request.ts"
import { ACADEMY_ZONE, type Person } from "./people.ts"
import { RULES, type Rule } from "./rules.ts"

const COMPLETIONS_PER_CALL = 500
/** The report that the owner and the supervisor receive on Mondays at 07:00. */
export const REPORT_NAME = "Overdue training"

export interface FeedEvent extends Json {
  type: string
  data: {
    id: number
    user?: { id: number; email: string | null }
    userId?: number
    email?: string
    course?: { id: number; name: string } | null
    courseId?: number
    cycle?: number
    deleted?: true
  }
}

/** The records of the academy, by their names. */
export class Academy {
  readonly userIds = new Map<string, number>()
  readonly registrationIds = new Map<string, number>()
  readonly courseIds = new Map<string, number>()
  private readonly client: RetryingClient
  private moduleId = 0
  private groupId = 0
  private cursor: string | undefined

  constructor(client: RetryingClient) {
    this.client = client
  }

  private create = async (path: string, body: Json) => (await this.client.send<{ id: number }>("POST", path, body)).id

  /** Creates the group with its supervisor, the weekly report, and the courses. */
  async prepare(supervisor: Person) {
    await this.client.send("PUT", "/api/settings", { timeZone: ACADEMY_ZONE })
    const adminId = await this.create("/api/user/create", {
      ...{ firstName: "The", lastName: supervisor.name, email: supervisor.email, userType: "group_admin" },
      ...{ sendInvitation: true },
    })
    this.groupId = await this.create("/api/group/create", { name: "Site", admin_ids: [adminId] })
    await this.create("/api/report-schedule/create", {
      ...{ name: REPORT_NAME, report: "overdue", interval: "weekly", day: 1, hour: 7, recipientIds: [adminId] },
    })
    this.moduleId = await this.create("/api/modules/text", { name: "Read this", content: "<p>Read this.</p>" })
    const templateId = await this.create("/api/certificate_template", {
      ...{ name: "Certificate", width: 1123, height: 794, fields: [] },
    })
    for (const { courseName, accessDays, hasCertificate } of RULES)
      this.courseIds.set(
        courseName,
        await this.create("/api/course/create", {
          ...{ name: courseName, slug: courseName.toLowerCase().replaceAll(" ", "-"), status: "publish" },
          ...{ modules: [{ module_id: this.moduleId }], expiresAfterDays: accessDays },
          ...(hasCertificate && { certificateTemplateId: templateId }),
        }),
      )
  }

  async createRules() {
    for (const rule of RULES) {
      const { key, courseName, ofGroup, due, graceDays, skipWeekends, recurrence, reminders, onLeave } = rule
      const audience = ofGroup ? { group: [this.groupId] } : { role: ["general"] }
      const body = { name: key, audience, due, graceDays, skipWeekends, reminders, onLeave, active: true }
      const courseIds = [this.courseIds.get(courseName)]
      await this.create("/api/assignment-rule/create", { ...body, courseIds, ...(recurrence && { recurrence }) })
    }
  }

  /** Uploads new people. They are there when the upload has ended. */
  async join(people: Person[]) {
    for (const isInGroup of [true, false]) {
      const some = people.filter((person) => person.isInGroup === isInGroup)
      if (some.length === 0) continue
      const userList = some.map(({ name, email }) => ({ first_name: "Learner", last_name: name, email }))
      await this.client.send("POST", "/api/user/bulkUpload", {
        userList,
        ...(isInGroup && { groupId: this.groupId }),
      })
    }
  }

  /** Sets the time zones of people who have one of their own. */
  async setZones(people: Person[]) {
    for (const { email, zone } of people)
      if (zone !== ACADEMY_ZONE) await this.client.send("PUT", `/api/user/${this.userId(email)}`, { timeZone: zone })
  }

  /** @param asOwner makes calls that need a session */
  async leave(people: Person[], asOwner: (run: () => Promise<unknown>) => Promise<void>) {
    const idsOf = (how: NonNullable<Person["leaves"]>["how"]) =>
      people.filter(({ leaves }) => leaves?.how === how).map(({ email }) => this.userId(email))
    const [removed, disabled] = [idsOf("group"), idsOf("disabled")]
    if (removed.length > 0) await this.client.send("PUT", `/api/group/${this.groupId}`, { remove_user_ids: removed })
    if (disabled.length > 0)
      await this.client.send("POST", "/api/user/quickEdit", { user_ids: disabled, disabled: true })
    for (const { email, leaves } of people)
      if (leaves?.how === "erased")
        await asOwner(() =>
          this.client.send("POST", "/api/user/erase", { userId: this.userId(email), email, reason: "requested" }),
        )
  }

  async complete(trainings: { person: Person; rule: Rule }[], at: number) {
    const records = trainings.map(({ person, rule }) => ({
      registrationId: this.registrationIds.get(`${person.email} ${rule.courseName}`) ?? 0,
      moduleId: this.moduleId,
      completed_on: new Date(at).toISOString(),
    }))
    for (let from = 0; from < records.length; from += COMPLETIONS_PER_CALL) {
      const some = records.slice(from, from + COMPLETIONS_PER_CALL)
      const { recorded, message } = await this.client.send("POST", "/api/module/record", { records: some })
      if (recorded !== some.length)
        failures.push(`${some.length} trainings were completed at ${new Date(at).toISOString()}: ${message}`)
    }
  }

  /** The events since the last call. */
  async events(): Promise<FeedEvent[]> {
    const found: FeedEvent[] = []
    for (;;) {
      const path = `/api/events${query({ page_size: 500, ...(this.cursor && { after: this.cursor }) })}`
      const { events, cursor } = await this.client.send<{ events: FeedEvent[]; cursor: string }>("GET", path)
      this.cursor = cursor
      for (const event of events) this.learn(event)
      found.push(...events)
      if (events.length === 0) return found
    }
  }

  /** Keeps the ids of people and of their enrollments. */
  private learn({ type, data }: FeedEvent) {
    if (type === "user.created" && data.email) this.userIds.set(data.email, data.id)
    if (type === "enrollment.created" && data.user?.email && data.course)
      this.registrationIds.set(`${data.user.email} ${data.course.name}`, data.id)
  }

  private userId(email: string): number {
    const id = this.userIds.get(email)
    if (id === undefined) throw new Error(`${email} is unknown.`)
    return id
  }
}
