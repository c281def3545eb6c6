import { pause } from "./send.ts"
import type { ApiResponse, EventPattern, LecternEvent, RawInit } from "./types.ts"

export interface EventOptions {
  /** Starts after this cursor, or with `latest` after the newest event. By default: with the oldest stored event. */
  after?: string | undefined
  /** Only events of these types; `user.*` is every type of an object. */
  types?: readonly EventPattern[]
  /** Only events of this course. */
  courseId?: number
  /** Only events of this group, or this portal, and of its current members. */
  groupId?: number
  portalId?: number
  /** Events per request; default and maximum 500. */
  pageSize?: number
  /** Keeps polling for new events with this interval in milliseconds. Without it the feed ends with the last event. */
  follow?: number
  signal?: AbortSignal
}

export interface EventPage {
  events: LecternEvent[]
  /** Store it when these events are processed: `after` of the next run. */
  cursor: string
}

export interface EventFeed extends AsyncIterable<LecternEvent> {
  /** Position after the last complete page: store it for the next run. Events of an incomplete page are repeated. */
  readonly cursor: string | undefined
  pages(): AsyncGenerator<EventPage, void, undefined>
}

/**
 * @throws LecternError 410 if the cursor is older than the stored events (30 days by default) or from before a restore
 */
export function events(
  call: <T>(path: string, init: RawInit) => Promise<ApiResponse<T>>,
  { after, types, pageSize = 500, follow, signal, ...filters }: EventOptions = {},
): EventFeed {
  let cursor = after
  async function* pages() {
    for (;;) {
      const query = { ...filters, after: cursor, types: types?.join(","), page_size: pageSize }
      const { data } = await call<EventPage>("/api/events", { query, signal })
      if (data.events.length > 0) yield data
      // A response may have no events but a new cursor: events of other types were skipped.
      const isAtEnd = data.cursor === cursor
      cursor = data.cursor
      if (!isAtEnd) continue
      if (follow === undefined) return
      await pause(follow, signal)
    }
  }
  return {
    get cursor() {
      return cursor
    },
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page.events
    },
  }
}
