// What a person does in each region of npm run bench -- latency: an academy with one learner per region.
import { type Connection, call, connect, json, PASSWORD } from "../../scripts/lib/client.ts"
import { query } from "../../scripts/lib/request.ts"
import { CLIENT_REGIONS, type Region } from "./round-trips.ts"

interface Call {
  method: string
  path: string
  body?: object
  headers?: Record<string, string>
  /** Default: the learner. */
  as?: "owner" | "anonymous"
}

export interface Operation {
  name: string
  kind: "read" | "change"
  /** The n-th call, from 0. Calls of `before` are not measured. */
  ask: (learner: Learner, n: number) => Call
  before?: (learner: Learner, n: number) => Promise<void>
}

/** A learner, with what the next call needs. */
export interface Learner extends Connection {
  region: Region
  email: string
  userId: number
  registrationId: number
  refreshToken: string
  attempt?: { attemptId: number; questions: { id: number; options: { id: number }[] }[] }
  bookmark: string
}

const page = { page_size: 20, page_number: 1 }

/** @param rounds how often each operation is called */
export async function prepare(url: string, rounds: number) {
  const owner = await connect(url, "owner@example.com", PASSWORD)
  const post = <T = { id: number }>(path: string, body: object, as: Connection = owner) =>
    call(as, "POST", path, body).then(json<T>)
  const texts: number[] = []
  for (let i = 0; i < rounds + 1; i++)
    texts.push((await post("/api/modules/text", { name: `Latency ${i}`, content: "<p>Read this.</p>" })).id)
  const options = ["Four", "Five"].map((text, at) => ({ text, correct: at === 0 }))
  const { id: quiz } = await post("/api/modules/quiz", {
    name: "Latency quiz",
    content: "<p>Answer this.</p>",
    passPercent: 100,
    attempts: 0,
    questions: [{ text: "Two and two?", type: "single", points: 1, options }],
  })
  const modules = [...texts, quiz].map((module_id) => ({ module_id, required: true }))
  const { id: course } = await post("/api/course/create", {
    name: "Latency",
    slug: "latency",
    status: "publish",
    modules,
  })
  const chosen = { password: PASSWORD, password_confirmation: PASSWORD }
  const newUser = (email: string) => ({ firstName: "Lea", lastName: email.slice(0, 9), email, ...chosen })
  const learners: Learner[] = []
  for (const region of CLIENT_REGIONS) {
    const email = `latency-${region.replace(" ", "")}@learners.example.com`.toLowerCase()
    const { id: userId } = await post("/api/user/create", newUser(email))
    await post("/api/course/enroll", { course_ids: [course], user_ids: [userId] })
    const opened = await post<{ token: string; refreshToken: string }>("/login", {
      email,
      password: PASSWORD,
      device: "phone",
    })
    const learner = { url, region, email, userId, ...opened, bookmark: "", registrationId: 0 }
    const own = `/api/users/enrolled-courses${query({ user_id: userId, ...page })}`
    const { records } = await json<{ records: { id: number }[] }>(await call(learner, "GET", own))
    learner.registrationId = records[0]?.id ?? 0
    learners.push(learner)
  }
  const badge = { title: "Latency badge", badgeIconUrl: "/assets/badge-star.svg", points: 5 }
  const { id: badgeId } = await post("/api/badge/create", badge)

  type Parameters = object | ((learner: Learner) => object)
  const read = (name: string, path: string, parameters: Parameters = {}, as?: "owner"): Operation => ({
    name,
    kind: "read",
    ask: (learner) => {
      const given = typeof parameters === "function" ? parameters(learner) : parameters
      return { method: "GET", path: `${path}${query({ ...given })}`, ...(as && { as }) }
    },
  })
  const change = (
    name: string,
    path: string,
    body: (learner: Learner, n: number) => object,
    more: Partial<Operation> & { as?: "owner" | "anonymous" } = {},
  ): Operation => {
    const { as, ...others } = more
    const ask = (learner: Learner, n: number) => ({ method: "POST", path, body: body(learner, n), ...(as && { as }) })
    return { name, kind: "change", ask, ...others }
  }
  const progress = (moduleId: number | undefined, more: object) => (learner: Learner) => ({
    registrationId: learner.registrationId,
    moduleId,
    ...more,
  })
  const inRegion = ({ region }: Learner, n: number) => `${region} ${n}`
  const startAttempt = async (learner: Learner) => {
    const body = { registrationId: learner.registrationId, moduleId: quiz }
    learner.attempt = await post<NonNullable<Learner["attempt"]>>("/api/quiz/attempt", body, learner)
  }
  const operations: Operation[] = [
    {
      name: "see the start page",
      kind: "read",
      ask: ({ token }) => ({ method: "GET", path: "/learn", as: "anonymous", headers: { cookie: `session=${token}` } }),
    },
    read("list own courses", "/api/users/enrolled-courses", ({ userId }) => ({ user_id: userId, ...page })),
    read("list a course's modules", "/api/course/modules", ({ registrationId }) => ({ registrationId })),
    read("see the dashboard", "/api/user/dashboard/statistics", ({ userId }) => ({ user_id: userId })),
    read(
      "list a course's learners",
      "/api/course/enrolled-students",
      { course_id: course, group_id: "", ...page },
      "owner",
    ),
    read("search users", "/api/users/tabularlist", { ...page, search_param: { nameOrEmail: "lat" } }, "owner"),
    read("report on a course", "/api/course/reports/course-detailed", { course_id: course, ...page }, "owner"),
    read("read the audit log", "/api/audit-activities", page, "owner"),
    {
      name: "read after an own change",
      kind: "read",
      before: async (learner) => {
        const body = progress(texts[0], { timeSpent: 30 })(learner)
        const answer = await call(learner, "POST", "/api/module/progress", body)
        learner.bookmark = answer.headers.get("x-d1-bookmark") ?? ""
        await json(answer)
      },
      ask: ({ userId, bookmark }) => ({
        method: "GET",
        path: `/api/users/enrolled-courses${query({ user_id: userId, ...page })}`,
        headers: { "x-d1-bookmark": bookmark },
      }),
    },
    change("report time (heartbeat)", "/api/module/progress", progress(texts[0], { timeSpent: 30 })),
    change("open a module", "/api/module/progress", (learner, n) => progress(texts[n + 1], {})(learner)),
    change("complete a module", "/api/module/progress", (learner, n) =>
      progress(texts[n], { timeSpent: 15, status: "Completed" })(learner),
    ),
    change("start a quiz", "/api/quiz/attempt", progress(quiz, {})),
    change(
      "submit a quiz",
      "/api/quiz/submit",
      ({ attempt }) => ({
        attemptId: attempt?.attemptId,
        answers: attempt?.questions.map(({ id, options }) => ({ questionId: id, optionIds: [options.at(-1)?.id] })),
      }),
      { before: startAttempt },
    ),
    change("create a location", "/api/location/create", (learner, n) => ({ name: `Hall ${inRegion(learner, n)}` }), {
      as: "owner",
    }),
    {
      name: "change a badge",
      kind: "change",
      ask: (_, n) => ({
        method: "PUT",
        path: `/api/badge/${badgeId}`,
        body: { ...badge, points: 10 + n },
        as: "owner",
      }),
    },
    {
      name: "save a view (GET)",
      kind: "change",
      ask: ({ userId }, n) => ({
        method: "GET",
        path: `/api/users/saveViewType${query({ userId, type: `grid ${n}` })}`,
      }),
    },
    change(
      "invite a user",
      "/api/user/create",
      ({ region }, n) => {
        const email = `invited-${region.replace(" ", "")}-${n}@learners.example.com`.toLowerCase()
        return { firstName: "Ivo", lastName: "Invited", email, sendInvitation: true }
      },
      { as: "owner" },
    ),
    change("start an export", "/api/users/export", () => ({}), { as: "owner" }),
    change("refresh a session", "/session/refresh", ({ refreshToken }) => ({ refreshToken }), { as: "anonymous" }),
    change("sign in", "/login", ({ email }) => ({ email, password: PASSWORD }), { as: "anonymous" }),
    change("sign in with a wrong password", "/login", ({ email }) => ({ email, password: "wrong" }), {
      as: "anonymous",
    }),
  ]
  return { owner, learners, operations }
}
