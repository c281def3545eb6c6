import type { Act, Acts, World } from "./world.ts"

// Acts on courses, enrollments, classes and certificates.

const SEAT_STATUSES = ["Attended", "No Show", "Cancelled", "Registered"] as const
const HOUR = 3_600_000

const changeCourse =
  (body: (world: World) => object): Act =>
  (world) => {
    const id = world.id("courses")
    if (id === undefined) return
    return world.client.PUT("/api/course/{id}", { params: { path: { id } }, body: body(world) })
  }

const changeClass =
  (body: (world: World) => object, condition?: string): Act =>
  (world) => {
    const id = world.id("classes", condition)
    return id === undefined ? undefined : world.client.POST("/api/class/update", { body: { id, ...body(world) } })
  }

/** A time of a class, as the wall clock shows it. */
const classTimes = (world: World) => {
  const start = new Date(world.time(1, 60))
  start.setUTCMinutes(0, 0, 0)
  const wall = (time: Date) => time.toISOString().slice(0, 19).replace("T", " ")
  return { startTime: wall(start), endTime: wall(new Date(start.getTime() + 2 * HOUR)), timeZone: "UTC" }
}

const newModules = (world: World) => {
  const ids = new Set(Array.from({ length: 1 + world.random.below(3) }, () => world.random.pick(world.textModuleIds)))
  return [...ids].flatMap((module_id) => (module_id === undefined ? [] : [{ module_id }]))
}

/** Records modules of an enrollment as completed. */
async function recordModules(world: World, registrationId: number, all: boolean) {
  const { data } = await world.client.GET("/api/course/modules", { params: { query: { registrationId } } })
  const open = data.filter(({ status, type }) => status !== "Completed" && type !== "quiz" && type !== "assignment")
  const chosen = all ? open : open.slice(0, 1)
  if (chosen.length === 0) return
  const records = chosen.map(({ module_id: moduleId }) => ({
    registrationId,
    moduleId,
    completed_on: new Date().toISOString(),
    timeSpent: 60,
  }))
  return world.client.POST("/api/module/record", { body: { records } })
}

/** A learner opens or completes a module of one of their courses. */
async function learn(world: World) {
  const learner = world.random.pick(world.learners)
  if (!learner) return
  const registrationId = world.id("enrollments", `userId = ${learner.id} and status <> 'Completed'`)
  if (registrationId === undefined) return
  const { data } = await learner.client.GET("/api/course/modules", { params: { query: { registrationId } } })
  const module = data.find(({ status, type }) => status !== "Completed" && (type === "text" || type === "video"))
  if (!module) return
  const status = world.random.below(2) === 0 ? "In Progress" : "Completed"
  const body = { registrationId, moduleId: module.module_id, status, timeSpent: 30 } as const
  return learner.client.POST("/api/module/progress", { body })
}

const IS_ENABLED = "not disabled"

export const learningActs: Acts = {
  "create a course": [
    2,
    (world) => {
      const status = world.random.below(3) === 0 ? "draft" : "publish"
      const body = { name: world.name("Course"), status, modules: newModules(world), certificateTemplateId: 1 } as const
      return world.client.POST("/api/course/create", { body })
    },
  ],
  "rename a course": [2, changeCourse((world) => ({ name: world.name("Renamed course") }))],
  "publish a course": [1, changeCourse(() => ({ status: "publish" }))],
  "replace the modules of a course": [1, changeCourse((world) => ({ modules: newModules(world) }))],
  "delete a course": [
    1,
    (world) => {
      const id = world.id("courses", "id > 7")
      return id === undefined ? undefined : world.client.POST("/api/course/delete", { body: { delete_ids: [id] } })
    },
  ],
  "enroll users": [
    10,
    (world) => {
      const course = world.id("courses")
      const user_ids = [...world.userIdList(3, IS_ENABLED), ...world.learners.slice(0, 1).map(({ id }) => id)]
      if (course === undefined) return
      return world.client.POST("/api/course/enroll", { body: { course_ids: [course], user_ids } })
    },
  ],
  "enroll a user with an expiry": [
    2,
    (world) => {
      const course = world.id("courses")
      const user = world.userId(IS_ENABLED)
      if (course === undefined || user === undefined) return
      const body = { course_ids: [course], user_ids: [user], expire_on: world.time(5, 90) }
      return world.client.POST("/api/course/enroll", { body })
    },
  ],
  "change the expiry of an enrollment": [
    3,
    (world) => {
      const id = world.id("enrollments")
      const [row] = world.store.all("select userId, courseId from enrollments where id = ?", id ?? 0)
      if (!row) return
      const registration = { user_id: Number(row.userId), course_id: Number(row.courseId) }
      const dates = { registered_on: world.time(-60, -30), expire_on: world.time(1, 90) }
      return world.client.POST("/api/course/record", { body: { registrations: [{ ...registration, ...dates }] } })
    },
  ],
  "learn a module": [6, learn],
  "record a module": [
    8,
    (world) => {
      const id = world.id("enrollments", "status <> 'Completed'")
      return id === undefined ? undefined : recordModules(world, id, false)
    },
  ],
  "record all modules": [
    5,
    (world) => {
      const id = world.id("enrollments", "status <> 'Completed'")
      return id === undefined ? undefined : recordModules(world, id, true)
    },
  ],
  "reset an enrollment": [
    3,
    (world) => {
      const id = world.id("enrollments", "status <> 'Not Started'")
      return id === undefined ? undefined : world.client.POST("/api/course/reset", { body: { registration_ids: [id] } })
    },
  ],
  "unenroll a user": [
    4,
    (world) => {
      const id = world.id("enrollments")
      const [row] = world.store.all("select userId, courseId from enrollments where id = ?", id ?? 0)
      if (!row) return
      const body = { course_ids: [Number(row.courseId)], user_ids: [Number(row.userId)] }
      return world.client.POST("/api/course/unenroll", { body })
    },
  ],
  "create a class": [
    2,
    (world) => {
      const courseId = world.id("courses")
      const instructor = world.id("users", "userType = 'staff' and not disabled")
      if (courseId === undefined || instructor === undefined) return
      const body = { courseId, instructor, allowDownload: false, disabled: false, ...classTimes(world) }
      return world.client.POST("/api/class/create", { body })
    },
  ],
  "move a class": [2, changeClass(classTimes)],
  "cancel a class": [1, changeClass(() => ({ disabled: true }), "not disabled")],
  "reopen a class": [1, changeClass(() => ({ disabled: false }), "disabled")],
  "delete a class": [
    1,
    (world) => {
      const classId = world.id("classes")
      return classId === undefined ? undefined : world.client.POST("/api/class/delete", { body: { classId } })
    },
  ],
  "give seats in a class": [
    6,
    (world) => {
      const id = world.id("classes", "not disabled")
      const studentIds = world.userIdList(3, IS_ENABLED)
      if (id === undefined || studentIds.length === 0) return
      return world.client.POST("/api/class/enroll/{id}", { params: { path: { id } }, body: { studentIds } })
    },
  ],
  "mark a seat": [
    5,
    (world) => {
      const id = world.id("class_enrollments")
      const status = world.random.pick(SEAT_STATUSES) ?? "Attended"
      return id === undefined
        ? undefined
        : world.client.GET("/api/class/update-class-status", { params: { query: { id, status } } })
    },
  ],
  "remove a seat": [
    2,
    (world) => {
      const seat = world.id("class_enrollments")
      const [row] = world.store.all("select classId from class_enrollments where id = ?", seat ?? 0)
      if (!row || seat === undefined) return
      const params = { path: { id: Number(row.classId) } }
      return world.client.POST("/api/class/remove/{id}", { params, body: { enrollmentIds: [seat] } })
    },
  ],
  "issue a certificate": [
    2,
    (world) => {
      const id = world.id("enrollments")
      const body = { registrationIds: id === undefined ? [] : [id] }
      return id === undefined ? undefined : world.client.POST("/api/course/assignCertificate", { body })
    },
  ],
  "change the dates of a certificate": [
    1,
    (world) => {
      const rowId = world.id("certificates")
      if (rowId === undefined) return
      const body = { rowId, newIssueDate: world.time(-30, -1), newExpiryDate: world.time(30, 300) }
      return world.client.PUT("/api/update-certificate-dates", { body })
    },
  ],
  "revoke a certificate": [
    2,
    (world) => {
      const id = world.id("certificates")
      const [row] = world.store.all("select userId from certificates where id = ?", id ?? 0)
      if (!row || id === undefined) return
      const params = { path: { id: Number(row.userId) } }
      return world.client.PUT("/api/user/{id}/delete-certificate", { params, body: { id } })
    },
  ],
}
