import { waitUntil } from "cloudflare:workers"
import type { Bindings } from "../../env.ts"

/** The message to the jobs queue that refreshes the leaderboard. */
export const REFRESH_LEADERBOARD = { task: "refresh leaderboard" } as const

export const isLeaderboardRefresh = (body: unknown): boolean =>
  typeof body === "object" && body !== null && "task" in body && body.task === REFRESH_LEADERBOARD.task

/** Asks for a refresh in the background. If the message is lost, the next reader asks again. */
export const requestRefresh = (env: Bindings) =>
  waitUntil(
    env.JOBS.send(REFRESH_LEADERBOARD).catch((error: unknown) => {
      console.error(JSON.stringify({ event: "leaderboard not refreshed", error: String(error) }))
    }),
  )
