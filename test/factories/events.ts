import { expect } from "vitest"
import { get, query } from "../helpers/client.ts"

export interface FeedEvent {
  id: string
  type: string
  occurredAt: string
  data: Record<string, unknown>
  previous?: Record<string, unknown>
}

/** Reads the feed from the beginning or from a cursor. */
export async function readFeed(parameters: object = {}) {
  const response = await get(`/api/events${query({ page_size: 500, ...parameters })}`)
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  return response.body as { events: FeedEvent[]; cursor: string }
}

/** Returns a function that reads the events added from now on. */
export async function listening() {
  let { cursor } = await readFeed({ after: "latest" })
  return async () => {
    const found = await readFeed({ after: cursor })
    cursor = found.cursor
    return found.events
  }
}

export const typesIn = (received: FeedEvent[]) => received.map(({ type }) => type)
