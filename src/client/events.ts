import { pause } from "./send.ts"
import type { Answer, EventType, LecternEvent, RawInit } from "./types.ts"

export interface EventOptions {
  /** A cursor of the feed: what came after it. Without one the feed begins with the oldest event that is kept. */
  after?: string | undefined
  /** Only events of these types. */
  types?: readonly EventType[]
  /** Events a call; 500, the most there can be, unless told. */
  pageSize?: number
  /** Stays for what happens next: asks again so many milliseconds after the feed's end. Ends at the end unless told. */
  follow?: number
  signal?: AbortSignal
}

/** Events that came together. */
export interface EventPage {
  events: LecternEvent[]
  /** Keep it when these have been dealt with: the next run's `after`. */
  cursor: string
}

/** The feed, from a cursor on. */
export interface EventFeed extends AsyncIterable<LecternEvent> {
  /** What has been gone through: keep it for the next run. An event of a page that was left halfway comes again. */
  readonly cursor: string | undefined
  pages(): AsyncGenerator<EventPage, void, undefined>
}

/** @throws LecternError 410 when the cursor is from before what is kept: 30 days */
export function events(
  read: <T>(path: string, init: RawInit) => Promise<Answer<T>>,
  { after, types, pageSize = 500, follow, signal }: EventOptions = {},
): EventFeed {
  let cursor = after
  async function* pages() {
    for (;;) {
      const query = { after: cursor, types: types?.join(","), page_size: pageSize }
      const { data } = await read<EventPage>("/api/events", { query, signal })
      if (data.events.length > 0) yield data
      // Where types are few, an answer without events tells how far was looked.
      const atEnd = data.cursor === cursor
      cursor = data.cursor
      if (!atEnd) continue
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
