// The acts of mix.ts as calls of the interface, which has stayed the same since the first version that is compared.
import { setTimeout as sleep } from "node:timers/promises"
import { type Connection, call, connect, each, expectOk, json, PASSWORD } from "../../scripts/lib/client.ts"
import { query } from "../../scripts/lib/request.ts"
import type { ActName } from "./mix.ts"

type Json = Record<string, unknown>

/** A caller: a learner with their records, or staff. */
interface Person extends Connection {
  userId: number
  email: string
  registrationId: number
}

/** An act that each of `people` performs `rounds` times, one after the other. */
export interface Act {
  name: ActName
  people: Person[]
  rounds: number
  /** The number of acts per call; 1 by default. */
  each?: number
  run: (person: Person, at: { round: number; index: number }) => Promise<unknown>
}

/** The texts that a learner completes one by one; then the last that is required, which completes the course. */
const COMPLETED = 3
const REQUIRED = COMPLETED + 1
/** Texts that are opened after the first. */
const OPENED = 5
const HEARTBEATS = 8
/** The requests of a client while an export runs. */
const POLL = 200

/** A separate academy within the service's, and its acts. */
export class Academy {
  /** Set while an act is metered. */
  listener: ((answer: Response) => void) | undefined
  private readonly owner: Connection & { userId: number }
  private readonly stamp = Date.now()
  private texts: number[] = []
  private quizzes: number[] = []
  private assignments: number[] = []
  private courseId = 0
  private badge: Json = {}
  private badgeId = 0
  private staff: Person[] = []

  constructor(owner: Connection & { userId: number }) {
    this.owner = owner
  }

  async ask<T = Json>(who: Connection, method: string, path: string, body?: object): Promise<T> {
    const answer = await call(who, method, path, body)
    this.listener?.(answer)
    const text = await (await expectOk(answer)).text()
    return answer.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : ({} as T)
  }

  private async create(path: string, body: object): Promise<number> {
    return Number((await this.ask(this.owner, "POST", path, body)).id)
  }

  /** Pauses the rules of a sample academy, which would assign training to the measured learners at any moment. */
  async pauseRules() {
    const listed = await call(this.owner, "GET", "/api/assignment-rule/tabularlist?page_size=50&page_number=1")
    // Earlier versions have no rules.
    if (listed.status === 404) return
    const { records } = await json<{ records: { id: number }[] }>(listed)
    for (const { id } of records) await this.ask(this.owner, "PUT", `/api/assignment-rule/${id}`, { active: false })
  }

  /** A course with modules, some staff, and a badge. */
  async build(modules: number) {
    const name = (what: string) => `Cost ${this.stamp} ${what}`
    const content = "<p>Read this.</p>"
    const texts = Array.from({ length: modules - 4 }, (_, i) => ({ name: name(`text ${i}`), content }))
    await each(texts, 8, async (text) => {
      this.texts.push(await this.create("/api/modules/text", text))
    })
    const questions = ["Two and two?", "Three and three?", "Four and four?"].map((text) => ({
      text,
      type: "single",
      points: 1,
      options: [
        { text: "Right", correct: true },
        { text: "Wrong", correct: false },
      ],
    }))
    for (const i of [1, 2]) {
      const quiz = { name: name(`quiz ${i}`), content, passPercent: 60, questions }
      this.quizzes.push(await this.create("/api/modules/quiz", quiz))
      const assignment = { name: name(`assignment ${i}`), content, submission_type: "text", totalPoints: 20 }
      this.assignments.push(await this.create("/api/modules/assignment", assignment))
    }
    const required = this.texts.slice(0, REQUIRED)
    this.courseId = await this.create("/api/course/create", {
      name: name("course"),
      slug: `cost-${this.stamp}`,
      status: "publish",
      modules: [...this.texts, ...this.quizzes, ...this.assignments].map((module_id) => ({
        module_id,
        required: required.includes(module_id),
      })),
    })
    const icon = "/assets/badge-star.svg"
    this.badge = { title: name("badge"), badgeIconUrl: icon, defaultIconUrl: icon, points: 5 }
    this.badgeId = await this.create("/api/badge/create", this.badge)
    for (let i = 0; i < 8; i++) {
      const person = await this.newUser(`staff${i}`, this.owner, { userType: "staff" })
      this.staff.push(await this.signedIn(person))
    }
  }

  private async newUser(key: string, by: Connection, given: Json = {}): Promise<Person> {
    const email = `cost-${this.stamp}-${key}@learners.example.com`
    const chosen = { password: PASSWORD, password_confirmation: PASSWORD }
    const body = { firstName: "Cost", lastName: `Learner ${key}`, email, ...chosen, ...given }
    const { id } = await this.ask(by, "POST", "/api/user/create", body)
    return { url: this.owner.url, token: "", email, userId: Number(id), registrationId: 0 }
  }

  private async signedIn(person: Person): Promise<Person> {
    const { token } = await this.ask({ ...person, token: "" }, "POST", "/login", {
      email: person.email,
      password: PASSWORD,
    })
    return Object.assign(person, { token })
  }

  /** The acts of new learners, in a valid order. */
  acts(key: string, count: number): Act[] {
    const learners = Array.from(
      { length: count },
      (): Person => ({ url: this.owner.url, token: "", email: "", userId: 0, registrationId: 0 }),
    )
    const staff = this.staff.slice(0, Math.min(this.staff.length, count))
    const tutorOf = (index: number) => staff[index % staff.length] ?? this.owner
    const page = { page_size: 20, page_number: 1 }
    const at = (person: Person, moduleId: number | undefined) => ({ registrationId: person.registrationId, moduleId })
    const progress = (person: Person, moduleId: number | undefined, more: Json) =>
      this.ask(person, "POST", "/api/module/progress", { ...at(person, moduleId), ...more })
    const read = async (person: Connection, path: string, parameters: Json = {}) =>
      void (await this.ask(person, "GET", `${path}${query(parameters)}`))
    const submitted: number[] = []
    const by = (people: Person[], name: ActName, rounds: number, run: Act["run"]): Act => ({
      name,
      people,
      rounds,
      run,
    })
    return [
      by(learners, "create a user", 1, async (person, { index }) => {
        Object.assign(person, await this.newUser(`${key}${index}`, tutorOf(index)))
      }),
      by(learners, "sign in", 1, async (person) => void (await this.signedIn(person))),
      by(learners, "enroll", 1, async (person, { index }) => {
        const body = { course_ids: [this.courseId], user_ids: [person.userId] }
        await this.ask(tutorOf(index), "POST", "/api/course/enroll", body)
      }),
      by(learners, "see the dashboard", 2, (person) =>
        read(person, "/api/user/dashboard/statistics", { user_id: person.userId }),
      ),
      by(learners, "list own courses", 2, async (person) => {
        const path = `/api/users/enrolled-courses${query({ user_id: person.userId, ...page })}`
        const { records } = await this.ask<{ records: { id: number }[] }>(person, "GET", path)
        person.registrationId = records[0]?.id ?? 0
      }),
      by(learners, "list a course's modules", 2, (person) =>
        read(person, "/api/course/modules", { registrationId: person.registrationId }),
      ),
      by(learners, "begin a course", 1, (person) => progress(person, this.texts[0], {})),
      by(learners, "open a module", OPENED, (person, { round }) => progress(person, this.texts[1 + round], {})),
      by(learners, "heartbeat", HEARTBEATS, (person) => progress(person, this.texts[0], { timeSpent: 30 })),
      by(learners, "complete a module", COMPLETED, (person, { round }) =>
        progress(person, this.texts[round], { timeSpent: 15, status: "Completed" }),
      ),
      by(learners, "take a quiz", 2, async (person, { round }) => {
        type Attempt = { attemptId: number; questions: { id: number; options: { id: number; text: string }[] }[] }
        const attempt = await this.ask<Attempt>(person, "POST", "/api/quiz/attempt", at(person, this.quizzes[round]))
        const answers = attempt.questions.map(({ id, options }) => ({
          questionId: id,
          optionIds: options.filter(({ text }) => text === "Right").map((option) => option.id),
        }))
        await this.ask(person, "POST", "/api/quiz/submit", { attemptId: attempt.attemptId, answers })
      }),
      by(learners, "submit an assignment", 1, async (person) => {
        const path = `/api/module/assignment/details${query(at(person, this.assignments[0]))}`
        const { statusRowId } = await this.ask<{ statusRowId: number }>(person, "GET", path)
        const submission = "<p>Six hundred words on something that I changed my mind about.</p>"
        await this.ask(person, "POST", "/api/module/assignment/submit", { statusRowId, submission })
        submitted.push(statusRowId)
      }),
      by(learners, "evaluate a submission", 1, async (_, { index }) => {
        const evaluation = { isAccepted: true, pointsAwarded: 17, instructorMessage: "Clear, and honest." }
        const body = { statusRowId: submitted[index], evaluation }
        await this.ask(tutorOf(index), "POST", "/api/module/assignment/evaluate", body)
      }),
      by(learners, "complete a course", 1, (person) =>
        progress(person, this.texts[COMPLETED], { timeSpent: 15, status: "Completed" }),
      ),
      by(learners, "see own profile", 1, (person) => read(person, `/api/user/${person.userId}`)),
      by(learners, "list own activities", 1, (person) =>
        read(person, "/api/user-activities", { user_id: person.userId, context: "learner", ...page }),
      ),
      by(staff, "list a course's learners", 3, (person) =>
        read(person, "/api/course/enrolled-students", { course_id: this.courseId, group_id: "", ...page }),
      ),
      by(staff, "list the submissions", 3, (person) =>
        read(person, "/api/course/all-submissions", { group_id: "", ...page }),
      ),
      by(staff, "list users, searched", 3, (person, { index }) =>
        read(person, "/api/users/tabularlist", { ...page, search_param: { nameOrEmail: `learner ${key}${index}` } }),
      ),
      by(staff, "read a user", 3, (person, { index }) => read(person, `/api/user/${learners[index]?.userId}`)),
      by(staff, "report on a course", 3, (person) =>
        read(person, "/api/course/reports/course-detailed", { course_id: this.courseId, ...page }),
      ),
      by(staff.slice(0, 3), "export learners", 1, (person) => this.exported(person, "/api/users/export")),
      by(staff, "change a record", 2, async (person, { round, index }) => {
        const badgeIconUrl = `/assets/badge-${round}-${index}-${key}.svg`
        await this.ask(person, "PUT", `/api/badge/${this.badgeId}`, { ...this.badge, badgeIconUrl })
      }),
      {
        ...by(staff.slice(0, 1), "be mailed an announcement", 1, async (person) => {
          const user_ids = learners.map(({ userId }) => userId)
          const announcement = {
            heading: "The hall is open",
            content: "<p>Come in.</p>",
            sending_rules: "specific_users",
          }
          await this.ask(person, "POST", "/api/announcement", { ...announcement, user_ids })
        }),
        each: count,
      },
      by(staff.slice(0, 1), "the cron's minute", 2, async (person) => {
        const answer = await fetch(new URL("/cdn-cgi/local/scheduled", person.url))
        await answer.body?.cancel()
      }),
    ]
  }

  private async exported(person: Person, path: string) {
    const { export_id } = await this.ask(person, "POST", path, {})
    for (;;) {
      const { status } = await this.ask(person, "GET", `${path}/progress/${export_id}`)
      if (status === "completed") break
      if (status !== "processing") throw new Error(`The export ended ${status}.`)
      await sleep(POLL)
    }
    await this.ask(person, "GET", `${path}/download/${export_id}`)
  }

  /** The heartbeats per second that the service accepts over several connections. */
  async heartbeats(learners: Person[], connections: number, seconds: number): Promise<number> {
    const until = performance.now() + seconds * 1000
    let made = 0
    const beat = async (first: number) => {
      for (let i = first; performance.now() < until; i += connections) {
        const person = learners[i % learners.length]
        if (!person) return
        const body = { registrationId: person.registrationId, moduleId: this.texts[OPENED], timeSpent: 30 }
        await this.ask(person, "POST", "/api/module/progress", body)
        made++
      }
    }
    await Promise.all(Array.from({ length: connections }, (_, i) => beat(i)))
    return made / seconds
  }
}

export const connectAcademy = async (url: string, email: string, password: string) =>
  new Academy(await connect(url, email, password))
