import { env } from "cloudflare:workers"
import { sql } from "drizzle-orm"
import { afterEach, describe, expect, it } from "vitest"
import { operations } from "../../src/http/operation.ts"
import { learnerWithAssignment } from "../factories/assignments.ts"
import { template } from "../factories/certificates.ts"
import { classEnrollment, classOf } from "../factories/classes.ts"
import { db, signedIn } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { course, enrollment, module } from "../factories/learning.ts"
import { call, cookieOf, cost, download, get, query } from "../helpers/client.ts"
import { openApiDocument } from "./inputs.ts"

// GETs that change data. `test/helpers/client.ts` fails a test if any other GET writes a row.

const changing = operations.filter(({ mutates }) => mutates)

async function place() {
  const teacher = await signedIn("staff")
  const inClass = await classOf(await course(), {
    startAt: Date.now(),
    endAt: Date.now() + 3_600_000,
    instructorId: teacher.id,
    webinarProvider: "Meet",
    webinarMeetingId: "room",
  })
  const learner = await signedIn("general")
  const { id } = await classEnrollment(learner, inClass)
  return { teacher: teacher.token, learner: learner.token, id, classId: inClass.id }
}

interface Target {
  path: string
  token: string
}

const attended = (path: string) => async () => {
  const { teacher, id, classId } = await place()
  return { path: `${path}${query({ id, status: "Attended", classId })}`, token: teacher }
}

const ofLearner = (path: string) => async () => {
  const { learner, id } = await place()
  return { path: `${path}${query({ registrationId: id })}`, token: learner }
}

/** A call of each GET that writes, and its caller. */
const TARGETS: Record<string, () => Promise<Target>> = {
  saveViewType: async () => {
    const { id, token } = await signedIn("general")
    return { path: `/api/users/saveViewType${query({ userId: id, type: "grid" })}`, token }
  },
  updateClassStatus: attended("/api/class/update-class-status"),
  updateUserClassStatus: attended("/api/users/update-class-status"),
  updateWebinarStatus: async () => {
    const { teacher, id } = await place()
    return { path: `/api/users/update-webinar-status${query({ ids: [id], status: "Attended" })}`, token: teacher }
  },
  updateWebinarNotes: async () => {
    const { teacher, id } = await place()
    return { path: `/api/users/update-webinar-notes${query({ ids: [id], notes: "Late" })}`, token: teacher }
  },
  getClassWithMaterial: ofLearner("/api/class/study-material"),
  launchWebinar: ofLearner("/api/class/webinar/launch"),
  openAssignment: async () => {
    const { ref, learner } = await learnerWithAssignment()
    return { path: `/api/module/assignment/details${query(ref)}`, token: learner.token }
  },
  previewCertificateTemplate: async () => {
    const { id } = await template()
    const learner = await signedIn("general")
    await enrollment(learner, await course({ certificateTemplateId: id }, [{ moduleId: (await module()).id }]))
    return { path: `/api/certificate_template/preview/${id}`, token: learner.token }
  },
}

const target = (operationId: string): Promise<Target> => {
  const make = TARGETS[operationId]
  if (!make) throw new Error(`${operationId} changes something: give it a target here.`)
  return make()
}

const fetched = (dest: string, mode: string, more: object = {}) => ({
  "sec-fetch-site": "same-origin",
  "sec-fetch-mode": mode,
  "sec-fetch-dest": dest,
  ...more,
})

/** The headers of a browser for resources that a page loads, and for links that a person follows. */
const LOADED: Record<string, Record<string, string>> = {
  "an image": fetched("image", "no-cors"),
  "an image that asks for CORS": fetched("image", "cors"),
  "an image that a service worker forwards": fetched("empty", "no-cors"),
  "a script": fetched("script", "no-cors"),
  "a style": fetched("style", "no-cors"),
  "a font": fetched("font", "cors"),
  "a film": fetched("video", "no-cors"),
  "a track": fetched("track", "same-origin"),
  "a frame": fetched("iframe", "navigate"),
  "an object": fetched("object", "navigate"),
  "an embedded file": fetched("embed", "no-cors"),
  "a link that saves a file": fetched("empty", "navigate"),
  "a prefetch": fetched("empty", "no-cors", { "sec-purpose": "prefetch" }),
  "a fetch of another origin": fetched("empty", "cors", { "sec-fetch-site": "same-site" }),
  "a fetch of another site": fetched("empty", "cors", { "sec-fetch-site": "cross-site" }),
  "a fetch that says no destination": { "sec-fetch-site": "same-origin" },
  "a program that names another origin": { origin: "https://evil.test" },
  "a program that names no origin": {},
}
const LINK = fetched("document", "navigate")
const TYPED = { ...LINK, "sec-fetch-site": "none" }

/** Everything that a change writes. */
const totalChanges = async () =>
  (
    await db.get<{ n: number }>(sql`select
    (select count(*) from audit_logs) + (select count(*) from module_statuses) + (select count(*) from events) as n`)
  )?.n

describe("a GET that changes data", () => {
  afterEach(() => {
    env.WEBINAR_URL = ""
    Object.assign(env, { WEBINAR_SECRET: undefined })
  })

  it("is covered by a target in this test", () => {
    expect(changing.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(TARGETS).sort())
  })

  it("is marked in the OpenAPI document, and no other operation is", async () => {
    const { paths } = await openApiDocument()
    const marked = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, entry]) =>
        (entry as { "x-changes"?: boolean })["x-changes"] ? [`${method} ${path}`] : [],
      ),
    )
    expect(marked.sort()).toEqual(changing.map(({ method, path }) => `${method} ${path}`).sort())
  })

  for (const { operationId, linkable } of changing) {
    describe(operationId, () => {
      it("answers 403 to a page that loads it with a session cookie, and writes nothing", async () => {
        env.WEBINAR_URL = "https://meet.example/"
        Object.assign(env, { WEBINAR_SECRET: "the webinar provider's own secret" })
        const { path, token } = await target(operationId)
        const before = await totalChanges()
        const refused = { ...LOADED, ...(!linkable && { "a link": LINK, "a typed address": TYPED }) }
        for (const [what, headers] of Object.entries(refused))
          for (const method of ["GET", "HEAD"]) {
            const answer = await call(method, path, { headers: { ...cookieOf(token), ...headers } })
            expect(answer.status, `${method} as ${what}`).toBe(403)
            expect(cost(answer), `${method} as ${what}`).toMatchObject({ roundTrips: 0, written: 0 })
            if (method === "HEAD") continue
            const code = what === "a prefetch" ? "prefetch_not_allowed" : "cross_origin_forbidden"
            expect(answer.body, what).toEqual({ status: "error", code, message: expect.any(String) })
          }
        expect(await totalChanges()).toBe(before)
      })

      it("changes data for a script of this origin and for a bearer token, and is never cached", async () => {
        env.WEBINAR_URL = "https://meet.example/"
        Object.assign(env, { WEBINAR_SECRET: "the webinar provider's own secret" })
        const taken = [fetched("empty", "cors"), fetched("empty", "same-origin"), { origin: "https://lectern.test" }]
        for (const headers of taken) {
          const { path, token } = await target(operationId)
          const answer = await get(path, { headers: { ...cookieOf(token), ...headers } })
          expect(answer.status, JSON.stringify(headers)).toBe(200)
          expect(answer.headers.get("cache-control")).toBe("no-store")
          expect(cost(answer).written, JSON.stringify(headers)).toBeGreaterThan(0)
        }
        const { path, token } = await target(operationId)
        const answer = await get(path, { token, headers: fetched("image", "no-cors") })
        expect(answer.status).toBe(200)
        expect(cost(answer).written).toBeGreaterThan(0)
      })

      it("is refused for a read-only key", async () => {
        const { path } = await target(operationId)
        const { token } = await apiKey({ role: "owner", access: "read" })
        const answer = await get(path, { token })
        expect(answer.status).toBe(403)
        expect(cost(answer).written).toBe(0)
      })
    })
  }
})

describe("a certificate's preview", () => {
  it("returns a PDF to a person who follows a link or types the address, and records nothing", async () => {
    const { path, token } = await target("previewCertificateTemplate")
    for (const headers of [LINK, TYPED, { ...LINK, "sec-fetch-site": "cross-site" }]) {
      const answer = await download(path, { headers: { ...cookieOf(token), ...headers } })
      expect(answer.status).toBe(200)
      expect(answer.headers.get("content-type")).toBe("application/pdf")
      expect(answer.headers.get("cache-control")).toBe("no-store")
      expect(answer.headers.get("server-timing")).toContain("written=0")
    }
    expect(await db.get(sql`select count(*) as n from module_statuses`)).toEqual({ n: 0 })
  })
})

describe("a GET that is not declared to change data", () => {
  it("would fail its test if it wrote", async () => {
    const saveViewType = operations.find(({ operationId }) => operationId === "saveViewType")
    if (!saveViewType) throw new Error("No such operation")
    const { path, token } = await target("saveViewType")
    saveViewType.mutates = false
    try {
      await expect(get(path, { token })).rejects.toThrow(/writes/)
    } finally {
      saveViewType.mutates = true
    }
  })
})
