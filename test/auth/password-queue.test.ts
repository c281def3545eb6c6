import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { hashQueue, inHashQueue } from "../../src/lib/crypto/password-queue.ts"
import { PASSWORD, user } from "../factories/index.ts"
import { call, post } from "../helpers/client.ts"
import { cheapPasswords } from "../helpers/password-cost.ts"

// A hash that waits for the test counts as canceled only where a test says so.
beforeEach(() => {
  Object.assign(hashQueue, { maxWaiting: 5, pauseMs: 25, canceledMs: Number.POSITIVE_INFINITY })
})
afterEach(() => {
  cheapPasswords()
})

/** Fills the queue with hashes. The first one waits for `finish`. */
function fillQueue() {
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  const all = Array.from({ length: hashQueue.maxWaiting }, () => inHashQueue(() => promise))
  return async () => {
    finish()
    await Promise.all(all)
  }
}

describe("the queue of password hashes", () => {
  it("runs one at a time, in order, and lets other work run in between", async () => {
    let running = 0
    let turns = 0
    const order: number[] = []
    const turnsBetween: number[] = []
    const ticking = setInterval(() => turns++, 1)
    await Promise.all(
      Array.from({ length: 5 }, (_, at) =>
        inHashQueue(async () => {
          expect(++running).toBe(1)
          turnsBetween.push(turns)
          order.push(at)
          await scheduler.wait(1)
          turns = 0
          running--
        }),
      ),
    )
    clearInterval(ticking)
    expect(order).toEqual([0, 1, 2, 3, 4])
    expect(Math.min(...turnsBetween.slice(1))).toBeGreaterThan(0)
  })

  it("lets other work run between two hashes, although the first is done when the second arrives", async () => {
    let turns = 0
    await inHashQueue(async () => "first")
    const ticking = setInterval(() => turns++, 1)
    await inHashQueue(async () => "second")
    clearInterval(ticking)
    expect(turns).toBeGreaterThan(0)
  })

  it("returns 503 with Retry-After when it is full, and signs in again when it is not", async () => {
    const { email } = await user()
    const empty = fillQueue()
    const refused = await post("/login", { email, password: PASSWORD })
    expect([refused.status, refused.headers.get("retry-after"), refused.body]).toEqual([
      503,
      "10",
      {
        status: "error",
        code: "unavailable",
        message: "Many people are signing in right now. Try again in a few seconds.",
      },
    ])
    const form = await call("POST", "/login", {
      body: new URLSearchParams({ email, password: PASSWORD }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    })
    expect([form.status, form.headers.get("retry-after")]).toEqual([503, "10"])
    expect(form.body).toContain("Many people are signing in right now.")
    await empty()
    expect((await post("/login", { email, password: PASSWORD })).status).toBe(200)
  })

  it("does not count a refused sign-in as a failed attempt", async () => {
    const { email } = await user()
    const empty = fillQueue()
    for (let at = 0; at < 12; at++) expect((await post("/login", { email, password: "wrong" })).status).toBe(503)
    await empty()
    expect((await post("/login", { email, password: PASSWORD })).status).toBe(200)
  })

  it("lets a background hash wait while the queue is full", async () => {
    const empty = fillQueue()
    const hash = inHashQueue(async () => "hash", { background: true })
    await empty()
    expect(await hash).toBe("hash")
  })

  it("skips a request that was canceled while it waited", async () => {
    hashQueue.canceledMs = 100
    const { promise, resolve } = Promise.withResolvers<void>()
    const canceled = inHashQueue(() => promise)
    expect(await inHashQueue(async () => "hash")).toBe("hash")
    resolve()
    await canceled
  })
})
