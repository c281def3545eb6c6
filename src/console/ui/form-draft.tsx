import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { useMe } from "../api/me.tsx"
import { draftKey, readDraft, storeDraft } from "../api/offline/drafts.ts"
import { t } from "../messages/messages.ts"
import type { Values } from "./form.tsx"
import { Time } from "./time.tsx"

/** Milliseconds from an edit to its draft: fields outside of the DOM render first. */
const STORE_DELAY_MS = 600

interface DraftOptions<Body> {
  /** The record, such as `text/5`. */
  name: string
  /** The version of the record. */
  version?: string
  read: (values: Values) => Body
}

/**
 * Keeps what is typed in a form in this browser, until it is saved or discarded, or the person signs out. When the form
 * opens again, the person chooses whether to restore it.
 * @returns `formProps` and `notice` for the form, `restored` values, a `key` for its fields, and `clear` after saving
 */
export function useFormDraft<Body>({ name, version = "", read }: DraftOptions<Body>) {
  const key = draftKey(useMe().id, name)
  const [found, setFound] = useState(() => readDraft<Body>(key))
  const [restored, setRestored] = useState<Body>()
  const timer = useRef<ReturnType<typeof setTimeout>>()
  const pending = useRef<() => void>()
  const isStored = useRef(false)
  const flush = () => {
    clearTimeout(timer.current)
    pending.current?.()
    pending.current = undefined
  }
  const clear = () => {
    clearTimeout(timer.current)
    pending.current = undefined
    storeDraft(key, undefined)
    setFound(undefined)
    setRestored(undefined)
  }
  // The last words before the tab closes.
  useEffect(() => {
    addEventListener("pagehide", flush)
    return () => {
      removeEventListener("pagehide", flush)
      flush()
    }
  }, [key])
  const formProps = useMemo(
    () => ({
      onEdit: (getValues: () => Values | undefined) => {
        pending.current = () => {
          const values = getValues()
          // Without changes, an earlier draft waits for the person's choice.
          if (values) storeDraft(key, { body: read(values), at: Date.now(), version })
          else if (isStored.current) storeDraft(key, undefined)
          isStored.current = values !== undefined
        }
        clearTimeout(timer.current)
        timer.current = setTimeout(flush, STORE_DELAY_MS)
      },
      onDiscard: clear,
    }),
    [key, version],
  )
  const notice = found && !restored && (
    <div class="notice" role="status">
      <p>
        {t("draft.found")} <Time value={found.at} />. {found.version !== version && t("draft.outdated")}
      </p>
      <div class="actions">
        <button type="button" onClick={() => setRestored(found.body)}>
          {t("draft.restore")}
        </button>
        <button type="button" onClick={clear}>
          {t("draft.discard")}
        </button>
      </div>
    </div>
  )
  return { formProps, notice, restored, key: restored ? "draft" : "saved", clear }
}
