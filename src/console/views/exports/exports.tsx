import { FileSpreadsheet } from "lucide-preact"
import { useMemo, useState } from "preact/hooks"
import { LecternError } from "../../../client/index.ts"
import { announce } from "../../api/announce.ts"
import { api } from "../../api/client.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useChange, useRead } from "../../api/queries.ts"
import { useStore } from "../../api/store.ts"
import { t } from "../../messages/messages.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { ErrorMessage, Loaded } from "../../ui/error-message.tsx"
import { Choices, Form, TextField, toOptions } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { Progress } from "../../ui/progress.tsx"
import { Time } from "../../ui/time.tsx"
import { UrlSelect } from "../../ui/url-select.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import "./exports.css"
import { Badge } from "../../ui/badge.tsx"
import {
  EXPORT_KINDS,
  EXPORT_PATHS,
  type ExportKind,
  STATUS_LABELS,
  type StartedExport,
  startExport,
  startedExports,
} from "./export-kinds.ts"

const POLL_MS = 1_500

const titleOf = (kind: StartedExport["kind"]) => t(`exports:exports.kind.${kind}`)

function Filters({ kind: { filters } }: { kind: ExportKind }) {
  const me = useMe()
  const categories = useRead("/api/categories/user/lookup", undefined, { enabled: filters.includes("categories") })
  return (
    <>
      <TextField name="nameOrEmail" label={t("exports:exports.name-or-email")} type="search" maxLength={254} />
      <Combobox
        name="portal"
        label={t("exports:exports.portal")}
        path="/api/portal/tabularlist"
        searchBy="name"
        toChoice={({ id, name }) => ({ id, name })}
      />
      {filters.includes("course") && (
        <Combobox
          name="course"
          label={t("exports:exports.course")}
          path="/api/courses/tabularlist"
          searchBy="courseName"
          toChoice={({ id, name }) => ({ id, name })}
        />
      )}
      {filters.includes("status") && (
        <Choices
          name="status"
          label={t("exports:exports.status")}
          options={Object.entries(STATUS_LABELS).map(([value, label]) => ({ value, label: t(label) }))}
        />
      )}
      {filters.includes("categories") && (
        <Loaded query={categories}>
          {(all) =>
            all.length > 0 && (
              <Choices name="categories" label={t("exports:exports.categories")} options={toOptions(all)} />
            )
          }
        </Loaded>
      )}
      {filters.includes("membership") && hasAccess(me, "staff") && (
        <Combobox
          name="membership"
          label={t("exports:exports.membership")}
          path="/api/membership/tabularlist"
          searchBy="name"
          toChoice={({ id, name }) => ({ id, name })}
        />
      )}
    </>
  )
}

const isExpired = (error: unknown) => error instanceof LecternError && (error.status === 410 || error.status === 404)

/** A started export with its progress and download. */
function ExportCard({ started: { id, kind, at }, onRemove }: { started: StartedExport; onRemove: () => void }) {
  const path = EXPORT_PATHS[kind]
  const init = { params: { path: { exportId: id } } }
  const progress = useRead(`${path}/progress/{exportId}`, init, {
    pollMs: (data) => (data?.status === "processing" || data === undefined ? POLL_MS : false),
  })
  const [isConfirming, setIsConfirming] = useState(false)
  const cancel = useChange({
    call: () => api.POST(`${path}/cancel/{exportId}`, init),
    invalidates: [`${path}/progress`],
  })
  const { data, error } = progress
  const title = titleOf(kind)
  return (
    <li class="card">
      <h3>{title}</h3>
      <p class="quiet">
        {t("exports:exports.started")} <Time value={at} />
      </p>
      {isExpired(error) ? (
        <p>{t("exports:exports.expired")}</p>
      ) : (
        <Loaded query={{ data, error }}>
          {({ status, progress: percent, message, filename }) => (
            <>
              {status === "processing" ? (
                <Progress label={t("exports:exports.status.processing")} value={percent} />
              ) : (
                <p role="status">
                  <Badge status={status}>{t(`exports:exports.status.${status}`)}</Badge> {filename}
                </p>
              )}
              {status === "failed" && (
                <p lang="en" dir="auto">
                  {message}
                </p>
              )}
            </>
          )}
        </Loaded>
      )}
      <ErrorMessage error={cancel.error} />
      <div class="actions">
        {data?.download_url && !error && (
          <a class="button primary" href={data.download_url} download={data.filename ?? ""}>
            {t("download")}
          </a>
        )}
        {data?.status === "processing" && !error ? (
          <button type="button" onClick={() => setIsConfirming(true)}>
            {t("exports:exports.cancel")}
          </button>
        ) : (
          <button type="button" class="plain" onClick={onRemove}>
            {t("exports:exports.remove")}
          </button>
        )}
      </div>
      {isConfirming && (
        <ConfirmDialog
          title={t("exports:exports.cancel")}
          confirm={t("exports:exports.cancel")}
          onConfirm={() => cancel.mutateAsync(undefined)}
          onClose={() => setIsConfirming(false)}
        >
          <p>{t("exports:exports.cancel.text", { kind: title })}</p>
        </ConfirmDialog>
      )}
    </li>
  )
}

/** Starts spreadsheet exports, and lists those that were started in this browser. */
export default function Exports() {
  const me = useMe()
  const { query } = useUrlState()
  const { list, add, remove } = useMemo(() => startedExports(me.id), [me.id])
  const started = useStore(list)
  const kind = EXPORT_KINDS.find(({ name }) => name === query.kind) ?? EXPORT_KINDS[0]
  if (!kind) return null
  return (
    <Page title={t("nav.exports")}>
      <div class="in-order">
        <section class="card" aria-labelledby="new-export">
          <h2 id="new-export">{t("exports:exports.new")}</h2>
          <div class="form-part">
            <div class="form">
              <UrlSelect
                name="kind"
                label={t("exports:exports.kind")}
                value={kind.name}
                options={EXPORT_KINDS.map((option) => ({ value: option.name, label: titleOf(option.name) }))}
              />
            </div>
            <Form
              key={kind.name}
              submit={t("exports:exports.start")}
              onSubmit={async (values) => {
                const { data } = await startExport(kind, values)
                add({ id: data.export_id, kind: kind.name, at: Date.now() })
                announce(data.message, { isFromApi: true })
              }}
            >
              <Filters kind={kind} />
            </Form>
          </div>
        </section>
        <section aria-labelledby="your-exports">
          <h2 id="your-exports">{t("exports:exports.yours")}</h2>
          <p class="quiet">{t("exports:exports.yours.about")}</p>
          {started.length === 0 ? (
            <EmptyState icon={FileSpreadsheet} text={t("exports:exports.none")} />
          ) : (
            <ul class="cards">
              {started.map((entry) => (
                <ExportCard key={entry.id} started={entry} onRemove={() => remove(entry.id)} />
              ))}
            </ul>
          )}
        </section>
      </div>
    </Page>
  )
}
