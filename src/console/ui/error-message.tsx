import { LecternError } from "../../client/index.ts"
import { isSignedOut } from "../api/client.ts"
import { connection } from "../api/connection.ts"
import { useStore } from "../api/store.ts"
import { t } from "../messages/messages.ts"
import { errorMessage } from "./api-message.ts"
import { Page } from "./page.tsx"

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

/** The title of a view whose record failed to load; undefined: it loads. */
export function failedTitle({ data, error }: QueryState<unknown>): string | undefined {
  if (data !== undefined || !error) return undefined
  return t(error instanceof LecternError && error.status === 404 ? "not-found.title" : "unavailable.title")
}

interface LoadedProps<T> {
  query: QueryState<T>
  /** Link to the list of a record whose page is within `children`. An error then has a page of its own. */
  parent?: { href: string; label: string }
  children: (data: T) => preact.ComponentChildren
}

/** Renders the data of a query, or its loading or error state. */
export function Loaded<T>({ query, parent, children }: LoadedProps<T>) {
  if (query.data !== undefined) return <>{children(query.data)}</>
  const title = failedTitle(query)
  if (title === undefined) return <Loading />
  const message = <ErrorMessage error={query.error} />
  return parent ? (
    <Page title={title} parent={parent}>
      {message}
    </Page>
  ) : (
    message
  )
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
