import type { LecternEvent } from "../../src/client/index.ts"
import type { Row, Store, Table } from "./store.ts"

// Applies an event of the feed to the copy. The data of an event is the state of the object when the event is read, or
// its ids if the object no longer exists.

type Data = Row & { deleted?: boolean }

const idOf = (value: unknown) => (value as { id?: number } | null | undefined)?.id ?? null

/** Puts an object, or removes it if it no longer exists. */
const putObject =
  (table: Table, toRow: (data: Data) => Row = (data) => data) =>
  (store: Store, data: Data) => {
    if (data.deleted) store.remove(table, { id: data.id })
    else store.put(table, toRow(data))
  }

/** A time as the wall clock of a time zone shows it. */
function toWallTime(time: unknown, timeZone: unknown): string {
  const options = { timeZone: String(timeZone), dateStyle: "short", timeStyle: "medium", hourCycle: "h23" } as const
  return new Intl.DateTimeFormat("sv-SE", options).format(new Date(String(time)))
}

const putEnrollment = putObject("enrollments", (data) => ({
  ...data,
  userId: idOf(data.user),
  courseId: idOf(data.course),
}))

const objects: Record<string, (store: Store, data: Data) => void> = {
  user: putObject("users"),
  membership: putObject("users"),
  group: putObject("groups"),
  portal: putObject("portals"),
  course: (store, data) => {
    putObject("courses")(store, data)
    const { id: courseId, moduleIds } = data
    store.remove("course_modules", { courseId })
    for (const moduleId of (moduleIds ?? []) as number[]) store.put("course_modules", { courseId, moduleId })
  },
  enrollment: putEnrollment,
  module: (store, data) => {
    if (data.deleted) return
    store.put("modules", { ...data, moduleId: idOf(data.module) })
  },
  class: putObject("classes", (data) => ({
    ...data,
    courseId: idOf(data.course),
    instructor: data.instructorId,
    startTime: toWallTime(data.startAt, data.timeZone),
    endTime: toWallTime(data.endAt, data.timeZone),
  })),
  class_enrollment: putObject("class_enrollments", (data) => ({
    ...data,
    classId: idOf(data.class),
    userId: idOf(data.user),
  })),
  certificate: (store, data) => {
    const { id, course } = data
    if (data.deleted || data.revokedAt) store.remove("certificates", { id })
    else {
      const courseName = (course as { name: string }).name
      store.put("certificates", { ...data, userId: idOf(data.user), courseId: idOf(course), courseName })
    }
  },
  order: putObject("orders", (data) => ({ ...data, userId: idOf(data.user) })),
}

const members =
  (kind: "group" | "portal", role: "members" | "admins", action: "put" | "remove") => (store: Store, data: Data) =>
    store[action](`${kind}_${role}`, { [`${kind}Id`]: idOf(data[kind]), userId: idOf(data.user) })

const removeModules = (store: Store, registrationId: unknown) => store.remove("modules", { registrationId })

/** What belongs to an object is deleted with it, without an event of its own. Orders stay, without their user. */
const special: Record<string, (store: Store, data: Data) => void> = {
  "user.deleted": (store, { id }) => {
    store.remove("users", { id })
    for (const { id: registrationId } of store.all("select id from enrollments where userId = ?", Number(id)))
      removeModules(store, registrationId)
    for (const table of [
      ...(["group_members", "group_admins", "portal_members", "portal_admins"] as const),
      ...(["enrollments", "class_enrollments", "certificates"] as const),
    ])
      store.remove(table, { userId: id })
    store.all("update orders set userId = null where userId = ?", Number(id))
  },
  // The account stays without personal data, as an earlier event of the erasure has it.
  "user.erased": () => {},
  "group.deleted": (store, { id }) => {
    store.remove("groups", { id })
    for (const table of ["group_members", "group_admins"] as const) store.remove(table, { groupId: id })
  },
  "portal.deleted": (store, { id }) => {
    store.remove("portals", { id })
    for (const table of ["portal_members", "portal_admins"] as const) store.remove(table, { portalId: id })
  },
  "class.deleted": (store, { id }) => {
    store.remove("classes", { id })
    store.remove("class_enrollments", { classId: id })
  },
  "enrollment.removed": (store, { id }) => {
    store.remove("enrollments", { id })
    removeModules(store, id)
  },
  "enrollment.reset": (store, data) => {
    putEnrollment(store, data)
    removeModules(store, data.id)
  },
  "group.member_added": members("group", "members", "put"),
  "group.member_removed": members("group", "members", "remove"),
  "group.admin_added": members("group", "admins", "put"),
  "group.admin_removed": members("group", "admins", "remove"),
  "portal.member_added": members("portal", "members", "put"),
  "portal.member_removed": members("portal", "members", "remove"),
  "portal.admin_added": members("portal", "admins", "put"),
  "portal.admin_removed": members("portal", "admins", "remove"),
}

export function applyEvent(store: Store, { type, data }: LecternEvent): void {
  const apply = special[type] ?? objects[type.slice(0, type.indexOf("."))]
  apply?.(store, data as unknown as Data)
}
