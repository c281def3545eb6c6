import { env } from "cloudflare:workers"
import { and, eq } from "drizzle-orm"
import { expect } from "vitest"
import { groupMembers } from "../../drizzle/schema/groups.ts"
import { runScheduled } from "../../src/worker/scheduled.ts"
import { post } from "../helpers/client.ts"
import { runJobs } from "./background-jobs.ts"
import { db } from "./index.ts"

/** Creates a rule and evaluates it. @returns its id */
export async function createRule(token: string, body: object) {
  const answer = await post("/api/assignment-rule/create", { name: "Fire safety", ...body }, { token })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  await runJobs()
  return answer.body.id as number
}

/** Runs the cron, and the jobs that it starts. */
export async function runCron() {
  await runScheduled(env)
  await runJobs()
}

export const join = (groupId: number, userId: number) => db.insert(groupMembers).values({ groupId, userId })
export const leave = (groupId: number, userId: number) =>
  db.delete(groupMembers).where(and(eq(groupMembers.groupId, groupId), eq(groupMembers.userId, userId)))
