import { env } from "cloudflare:workers"
import { devices } from "../../drizzle/schema/devices.ts"
import { issueToken } from "../../src/access/session.ts"
import { deviceSession } from "../../src/lib/caller.ts"
import { createRefreshToken } from "../../src/modules/auth/refresh-tokens.ts"
import { fileForm, PDF } from "../factories/assignments.ts"
import { PNG } from "../factories/certificates.ts"
import { classEnrollment, classOf } from "../factories/classes.ts"
import { db, PASSWORD, signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { PACKAGE_12, uploadPackage } from "../factories/scorm.ts"
import { call, get, post, put } from "../helpers/client.ts"
import { type Act, many, nth } from "./repeatable.ts"
import { TRAINING_ACTS } from "./training-acts.ts"

// Each kind of mutation, which a test can repeat on new records.

const NEW_PERSON = { firstName: "Ada", password: PASSWORD, password_confirmation: PASSWORD }

export const REPEATABLE_MUTATIONS: Record<string, Act> = {
  "a record is created": {
    make: async () => (n, headers) =>
      post("/api/badge/create", { title: `Star ${n}`, badgeIconUrl: "https://example.com/a.png" }, { headers }),
  },
  "a user is created, with a mail": {
    slow: true,
    make: async () => {
      const { token } = await signedIn("admin")
      return (n, headers) =>
        post("/api/user/create", { ...NEW_PERSON, email: `ada${n}@example.com` }, { token, headers })
    },
  },
  "a record is changed": {
    make: async (count) => {
      await many(count, (n) => post("/api/location/create", { name: `Hall ${n}` }))
      return (n, headers) => put(`/api/location/${n + 1}`, { city: "Bath" }, { headers })
    },
  },
  "records are deleted": {
    make: async (count) => {
      await many(2 * count, (n) => post("/api/location/create", { name: `Hall ${n}` }))
      return (n, headers) => post("/api/location/delete", { delete_ids: [2 * n + 1, 2 * n + 2] }, { headers })
    },
  },
  "many users are changed": {
    make: async (count) => {
      const people = await many(2 * count, () => user())
      const { token } = await signedIn("owner")
      await course({}, [{}])
      return (n, headers) =>
        post(
          "/api/user/quickEdit",
          { user_ids: [nth(people, 2 * n).id, nth(people, 2 * n + 1).id], disabled: false, course_ids: [1] },
          { token, headers },
        )
    },
  },
  "a learner is enrolled": {
    make: async (count) => {
      const people = await many(count, () => user())
      await course({}, [{}, {}])
      return (n, headers) => post("/api/course/enroll", { course_ids: [1], user_ids: [nth(people, n).id] }, { headers })
    },
  },
  "a learner's heartbeat": {
    make: async (count) => {
      const { id, token } = await signedIn("general")
      const learner = { ...(await user()), id }
      const ref = async () => {
        const inside = await course({}, [{}, {}])
        const { id: registrationId } = await enrollment(learner, inside)
        return { registrationId, moduleId: 2 * inside.id - 1 }
      }
      const refs = await many(count, ref)
      for (const each of refs) await post("/api/module/progress", each, { token })
      return (n, headers) => post("/api/module/progress", { ...nth(refs, n), timeSpent: 30 }, { token, headers })
    },
  },
  "a module is completed": {
    make: async (count) => {
      const people = await many(count, () => signedIn("general"))
      const inside = await course({}, [{}])
      for (const each of people) await enrollment(each, inside)
      return (n, headers) =>
        post(
          "/api/module/progress",
          { registrationId: n + 1, moduleId: 1, status: "Completed" },
          { token: nth(people, n).token, headers },
        )
    },
  },
  "a quiz is submitted": {
    timed: true,
    make: async (count) => {
      const questions = [
        { text: "2 + 2?", type: "single", points: 3, options: [{ text: "4", correct: true }, { text: "5" }] },
      ]
      await post("/api/modules/quiz", { name: "Sums", content: "x", questions, passPercent: 60 })
      const inside = await course({}, [{ moduleId: 1 }])
      const people = await many(count, () => signedIn("general"))
      for (const [n, { token, ...each }] of people.entries()) {
        await enrollment(each, inside)
        await post("/api/quiz/attempt", { registrationId: n + 1, moduleId: 1 }, { token })
      }
      return (n, headers) =>
        post(
          "/api/quiz/submit",
          { attemptId: n + 1, answers: [{ questionId: 1, optionIds: [1] }] },
          { token: nth(people, n).token, headers },
        )
    },
  },
  "a SCORM package's state": {
    make: async (count) => {
      await uploadPackage(PACKAGE_12)
      const inside = await course({}, [{ moduleId: 1 }])
      const people = await many(count, () => signedIn("general"))
      const ref = (n: number) => ({ registrationId: n + 1, moduleId: 1 })
      const cmi = { core: { lesson_status: "incomplete", session_time: "00:01:00" } }
      for (const [n, { token, ...each }] of people.entries()) {
        await enrollment(each, inside)
        await post("/api/scorm/commit", { ...ref(n), cmi }, { token })
      }
      const later = { core: { lesson_status: "incomplete", session_time: "00:02:00" } }
      return (n, headers) =>
        post("/api/scorm/commit", { ...ref(n), cmi: later }, { token: nth(people, n).token, headers })
    },
  },
  "a sign-in": {
    keyless: true,
    slow: true,
    make: async (count) => {
      const people = await many(count, () => user())
      return (n, headers) =>
        post("/login", { email: nth(people, n).email, password: PASSWORD, device: "Phone" }, { headers })
    },
  },
  "a session is renewed": {
    keyless: true,
    make: async (count) => {
      const at = { createdAt: Date.now(), refreshedAt: Date.now() }
      const tokens = await many(count, async (n) => {
        const { id: userId } = await user()
        await db.insert(devices).values({ id: n + 1, userId, name: "Phone", ...at })
        return createRefreshToken(env, { deviceId: n + 1, generation: 1 })
      })
      return (n, headers) => post("/session/refresh", { refreshToken: nth(tokens, n) }, { headers })
    },
  },
  "a device signs out": {
    keyless: true,
    make: async (count) => {
      const at = { createdAt: Date.now(), refreshedAt: Date.now() }
      const tokens = await many(count, async (n) => {
        const { id: userId, userType } = await user()
        await db.insert(devices).values({ id: n + 1, userId, name: "Phone", ...at })
        return (await issueToken(env, { userId, userType, epoch: 0, id: deviceSession(n + 1) })).token
      })
      return (n, headers) => call("POST", "/logout", { token: nth(tokens, n), headers })
    },
  },
  "a sign-out of all devices": {
    keyless: true,
    make: async (count) => {
      const people = await many(count, () => signedIn("general"))
      return (n, headers) => post("/logout", { everywhere: true }, { token: nth(people, n).token, headers })
    },
  },
  "a forgotten password": {
    keyless: true,
    make: async (count) => {
      const people = await many(count, () => user())
      return (n, headers) => post("/password/forgot", { email: nth(people, n).email }, { headers })
    },
  },
  "a read that changes something": {
    keyless: true,
    make: async (count) => {
      const held = await classOf(await course(), { startAt: Date.now() + 86_400_000 })
      const people = await many(count, () => signedIn("general"))
      const places = await many(count, (n) => classEnrollment(nth(people, n), held))
      return (n, headers) =>
        get(`/api/class/study-material?registrationId=${nth(places, n).id}`, { token: nth(people, n).token, headers })
    },
  },
  "a file is uploaded": {
    make: async () => {
      const { token } = await signedIn("general")
      return (n, headers) => post("/api/module/assignment/upload", fileForm(PDF, `work ${n}.pdf`), { token, headers })
    },
  },
  "a background is uploaded": {
    make: async () => {
      const { token } = await signedIn("staff")
      return (_, headers) => {
        const form = new FormData()
        form.set("file", new File([PNG], "seal.png"))
        return post("/api/certificate_template/upload", form, { token, headers })
      }
    },
  },
  "study material is uploaded": {
    make: async () => {
      const { token } = await signedIn("staff")
      return (n, headers) => {
        const form = fileForm(PDF, "notes.pdf", { name: `Notes ${n}` })
        return post("/api/class/study-material/upload", form, { token, headers })
      }
    },
  },
  "an export is asked for": {
    make: async (count) => {
      const people = await many(count, () => signedIn("admin"))
      return (n, headers) => post("/api/users/export", {}, { token: nth(people, n).token, headers })
    },
  },
  "users are uploaded": {
    make: async () => {
      const { token } = await signedIn("admin")
      const row = (n: number) => ({
        email: `person${n}@example.com`,
        first_name: "Person",
        last_name: "P",
        password: "",
      })
      return (n, headers) => post("/api/user/bulkUpload", { userList: [row(n)] }, { token, headers })
    },
  },
  "more users are uploaded than at once": {
    make: async () => {
      const { token } = await signedIn("admin")
      const row = (n: number) => ({ email: `p${n}@example.com`, first_name: "Person", last_name: "P", password: "" })
      return (n, headers) => {
        const userList = Array.from({ length: 21 }, (_, i) => row(100 * n + i))
        return post("/api/user/bulkUpload", { userList }, { token, headers })
      }
    },
  },
  ...TRAINING_ACTS,
}
