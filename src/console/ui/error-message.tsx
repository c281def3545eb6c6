import { LecternError } from "../../client/index.ts"
import { isSignedOut } from "../api/client.ts"
import { connection } from "../api/connection.ts"
import { useStore } from "../api/store.ts"
import { t } from "../messages/messages.ts"
import { errorMessage } from "./api-message.ts"

const NO_LABELS: ReadonlyMap<string, string> = new Map()

/** Shows an error with its code and request ID. `labels` are the form labels by API field. */
export const ErrorMessage = ({
  error,
  labels = NO_LABELS,
}: {
  error: unknown
  labels?: ReadonlyMap<string, string>
}) => {
  if (!error) return null
  if (isSignedOut(error))
    return (
      <div class="problem" role="alert">
        <p>
          {t("error.signed-out")}{" "}
          <a href="/login" target="_blank" rel="noopener">
            {t("error.sign-in")}
          </a>
        </p>
      </div>
    )
  const apiError = error instanceof LecternError ? error : undefined
  const otherText = error instanceof Error ? error.message : String(error)
  const { text, lang, detail } = apiError
    ? errorMessage(apiError, labels)
    : { text: otherText, lang: "en", detail: undefined }
  return (
    <div class="problem" role="alert">
      <p lang={lang} dir="auto">
        {text}
      </p>
      {detail && (
        <p class="quiet" lang="en" dir="auto">
          {detail}
        </p>
      )}
      {apiError && (
        <p class="quiet">
          {t("error.code")} <code>{apiError.code}</code>
          {apiError.requestId && (
            <>
              {" "}
              {t("error.request")} <code>{apiError.requestId}</code>
            </>
          )}
        </p>
      )}
    </div>
  )
}

interface QueryState<T> {
  data: T | undefined
  error: unknown
}

/** Renders the data of a query, or its loading or error state. */
export function Loaded<T>({
  query,
  children,
}: {
  query: QueryState<T>
  children: (data: T) => preact.ComponentChildren
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>
  if (query.error) return <ErrorMessage error={query.error} />
  return <Loading />
}

/** A view that loads, or waits for the connection. */
export function Loading() {
  const { state } = useStore(connection)
  return (
    <p class="loading" role="status">
      {state === "offline" ? t("loading.offline") : t("loading")}
    </p>
  )
}
