import { LecternError } from "../../client/index.ts"
import { t } from "../messages/messages.ts"
import { labeled } from "./field-labels.ts"

const NONE: ReadonlyMap<string, string> = new Map()

/** What the API said of a failure, with the labels of a form's fields, and what to quote when it is reported. */
export const Problem = ({ error, labels = NONE }: { error: unknown; labels?: ReadonlyMap<string, string> }) => {
  if (!error) return null
  const told = error instanceof LecternError ? error : undefined
  return (
    <div class="problem" role="alert">
      <p lang="en" dir="auto">
        {told
          ? labeled(told.message, labels, Object.keys(told.errors))
          : error instanceof Error
            ? error.message
            : String(error)}
      </p>
      {told && (
        <p class="quiet">
          {t("error.code")} <code>{told.code}</code>
          {told.requestId && (
            <>
              {" "}
              {t("error.request")} <code>{told.requestId}</code>
            </>
          )}
        </p>
      )}
    </div>
  )
}

interface ReadState<T> {
  data: T | undefined
  error: unknown
}

/** What was read, once it is there; before that, that it is on its way, or why it does not come. */
export function Loaded<T>({ of, children }: { of: ReadState<T>; children: (data: T) => preact.ComponentChildren }) {
  if (of.data !== undefined) return <>{children(of.data)}</>
  if (of.error) return <Problem error={of.error} />
  return (
    <p class="loading" role="status">
      {t("loading")}
    </p>
  )
}
