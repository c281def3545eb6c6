import { type Academy, DAY, TEACHER } from "./academy.ts"

const HOUR = 3_600_000
/** When every class begins until it has its people: a class in the past takes no enrollment. */
const UNTIL_DATED = { starttime: "2099-06-01 09:00", endTime: "2099-06-01 10:00" }
const PLAN = `Working with data, in class

10:00  What you counted last week
10:30  The middle of a list: mean and median
11:30  A chart of your own
12:30  Questions
`

interface Held {
  key: string
  course: string
  location?: string
  instructor: string
  /** Of the list of learners, from the first to before the second: 0 is learner@example.com. */
  people?: readonly [number, number]
  /** Whose place is no longer Registered. */
  statuses?: Record<number, string>
  given?: object
  /** What the class changes to once people are in it. `quantile`: the sample's day, at midnight. `hour`: its hour. */
  dated(at: number, hour: number): object
  hasPlan?: boolean
}

const once = (start: number, hours: number) => ({ startTime: iso(start), endTime: iso(start + hours * HOUR) })
const iso = (at: number) => new Date(at).toISOString()
const weekly = (startDate: number, classDays: string[], count: number) => ({
  recurrence: {
    classDays,
    startDate: iso(startDate).slice(0, 10),
    startTime: "17:00",
    endTime: "18:30",
    interval: 1,
    frequency: "weekly",
    end: { count },
  },
})

const MEI = "staff@example.com"

const CLASSES: Held[] = [
  {
    key: "data-past",
    course: "Working with data",
    location: "Main hall",
    instructor: TEACHER,
    people: [0, 12],
    statuses: {
      0: "Attended",
      1: "Attended",
      2: "Attended",
      3: "No Show",
      4: "Attended",
      5: "Cancelled",
      6: "Attended",
    },
    given: { allowDownload: true },
    hasPlan: true,
    dated: (at) => once(at - 21 * DAY + 10 * HOUR, 3),
  },
  {
    key: "writing-running",
    course: "Clear writing",
    instructor: MEI,
    people: [0, 9],
    statuses: { 8: "Cancelled" },
    given: { webinarProvider: "Meet", webinar_meeting_id: "clear-writing", webinar_host_pwd: "host-demo-1" },
    dated: (at) => weekly(at - 15 * DAY, [], 6),
  },
  {
    key: "safety-today",
    course: "Safety at work",
    location: "Workshop",
    instructor: TEACHER,
    people: [20, 33],
    statuses: { 21: "Attended", 22: "Attended", 23: "No Show" },
    dated: (_, hour) => once(hour - HOUR, 4),
  },
  {
    key: "data-coming",
    course: "Working with data",
    location: "Workshop",
    instructor: TEACHER,
    given: { timeZone: "Europe/Madrid" },
    people: [0, 14],
    statuses: { 12: "Cancelled" },
    hasPlan: true,
    dated: (at) => weekly(at + 5 * DAY, ["MO", "WE"], 8),
  },
  {
    key: "leading-coming",
    course: "Leading a team",
    instructor: MEI,
    people: [28, 36],
    dated: (at) => once(at + 12 * DAY + 9 * HOUR, 4),
  },
  {
    key: "leading-planned",
    course: "Leading a team",
    location: "Main hall",
    instructor: MEI,
    given: { disabled: true },
    dated: (at) => once(at + 60 * DAY + 9 * HOUR, 4),
  },
]

/** Past, current and future classes: single and weekly, in rooms and online, with learners in every status. */
export async function classes(academy: Academy) {
  const learners = [academy.userId("learner@example.com"), ...academy.learners()]
  const idsOf = async (table: string) =>
    new Map((await academy.sql(`select name, id from ${table}`)).map(([name, id]) => [name, id]))
  const teacher = await academy.by(TEACHER)
  const [courses, locations] = [await idsOf("courses"), await idsOf("locations")]
  const [today, thisHour] = [academy.at - (academy.at % DAY), academy.at - (academy.at % HOUR)]
  for (const held of CLASSES) {
    const { key, course, location, instructor, people, statuses = {}, given, hasPlan, dated } = held
    const id = await teacher.create("/api/class/create", `class-${key}`, {
      courseId: courses.get(course),
      ...(location !== undefined && { location: locations.get(location) }),
      instructor: academy.userId(instructor),
      allowDownload: false,
      disabled: false,
      ...UNTIL_DATED,
      ...given,
    })
    // One that has its dates has all before them too.
    const known = await academy.sql("select 1 from classes where id = ? and version > 1", [id])
    if (known.length > 0) continue
    if (people) await teacher.post(`/api/class/enroll/${id}`, { studentIds: learners.slice(...people) })
    const places = await academy.sql("select user_id, id from class_enrollments where class_id = ?", [id])
    for (const [learner, status] of Object.entries(statuses)) {
      const [, place] = places.find(([userId]) => userId === learners[Number(learner)]) ?? []
      await teacher.get(`/api/class/update-class-status?id=${place}&status=${encodeURIComponent(status)}`)
    }
    const studyMaterial = hasPlan && [{ media_id: await plan(teacher) }]
    await teacher.post("/api/class/update", { id, ...dated(today, thisHour), ...(studyMaterial && { studyMaterial }) })
  }
  // No operation sets when a person was enrolled or opened the material, so SQL writes these times.
  await academy.sql(
    `update class_enrollments set
       registered_at = min(?, held.start_at) - (10 + user_id % 7) * ${DAY},
       last_accessed_at = iif(status = 'Attended', held.start_at + user_id % 9 * 60000, last_accessed_at)
     from classes as held where held.id = class_id`,
    [academy.at],
  )
}

async function plan(academy: Academy): Promise<number> {
  const form = new FormData()
  form.set("file", new File([PLAN], "plan.txt", { type: "text/plain" }))
  return (await academy.upload<{ media_id: number }>("/api/class/study-material/upload", form)).media_id
}
