import { useMemo, useState } from "preact/hooks"
import { LecternError } from "../../../client/index.ts"
import { announce } from "../../api/announce.ts"
import { api } from "../../api/client.ts"
import { may, useMe } from "../../api/me.tsx"
import { useChange, useRead } from "../../api/queries.ts"
import { useStore } from "../../api/store.ts"
import { t } from "../../messages/messages.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { Confirm } from "../../ui/dialog.tsx"
import { Loaded, Problem } from "../../ui/error-message.tsx"
import { Choices, Form, Select, TextField } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { Progress } from "../../ui/progress.tsx"
import { Time } from "../../ui/time.tsx"
import { useAddress } from "../../ui/url-state.ts"
import "./exports.css"
import { type Begun, beginExport, begunExports, EXPORT_KINDS, type ExportKind, STATUSES } from "./export-kinds.ts"

const ASKED_EVERY = 1_500

const titleOf = ({ name }: Pick<ExportKind, "name">) => t(`exports:exports.kind.${name}`)

/** What an export is narrowed to. */
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
        by="name"
        pick={({ id, name }) => ({ id, name })}
      />
      {filters.includes("course") && (
        <Combobox
          name="course"
          label={t("exports:exports.course")}
          path="/api/courses/tabularlist"
          by="courseName"
          pick={({ id, name }) => ({ id, name })}
        />
      )}
      {filters.includes("status") && (
        <Choices
          name="status"
          label={t("exports:exports.status")}
          options={Object.entries(STATUSES).map(([value, label]) => ({ value, label: t(label) }))}
        />
      )}
      {filters.includes("categories") && (categories.data ?? []).length > 0 && (
        <Choices
          name="categories"
          label={t("exports:exports.categories")}
          options={(categories.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      {filters.includes("membership") && may(me, "staff") && (
        <Combobox
          name="membership"
          label={t("exports:exports.membership")}
          path="/api/membership/tabularlist"
          by="name"
          pick={({ id, name }) => ({ id, name })}
        />
      )}
    </>
  )
}

/** What an export that is there no longer is told. */
const isGone = (error: unknown) => error instanceof LecternError && (error.status === 410 || error.status === 404)

/** One export that was begun: how far it is, and what can be done with it. */
function Export({ of: { id, kind: name, at }, onForget }: { of: Begun; onForget: () => void }) {
  const kind = EXPORT_KINDS.find((one) => one.name === name)
  const path = kind?.path ?? "/api/users/export"
  const init = { params: { path: { exportId: id } } }
  const state = useRead(`${path}/progress/{exportId}`, init, {
    every: (data) => (data?.status === "processing" || data === undefined ? ASKED_EVERY : false),
  })
  const [asks, setAsks] = useState(false)
  const cancel = useChange({
    call: () => api.POST(`${path}/cancel/{exportId}`, init),
    changes: [`${path}/progress`],
  })
  const { data, error } = state
  const title = kind ? titleOf(kind) : name
  return (
    <li class="card">
      <h3>{title}</h3>
      <p class="quiet">
        {t("exports:exports.started")} <Time value={at} />
      </p>
      {isGone(error) ? (
        <p>{t("exports:exports.expired")}</p>
      ) : (
        <Loaded of={{ data, error }}>
          {({ status, progress, message, filename }) => (
            <>
              {status === "processing" ? (
                <Progress label={t("exports:exports.status.processing")} value={progress} />
              ) : (
                <p role="status">
                  <span class="badge">{t(`exports:exports.status.${status}`)}</span> {filename}
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
      <Problem error={cancel.error} />
      <div class="actions">
        {data?.download_url && !error && (
          <a class="button primary" href={data.download_url} download={data.filename ?? ""}>
            {t("download")}
          </a>
        )}
        {data?.status === "processing" && !error ? (
          <button type="button" onClick={() => setAsks(true)}>
            {t("exports:exports.cancel")}
          </button>
        ) : (
          <button type="button" class="plain" onClick={onForget}>
            {t("exports:exports.remove")}
          </button>
        )}
      </div>
      {asks && (
        <Confirm
          title={t("exports:exports.cancel")}
          confirm={t("exports:exports.cancel")}
          onConfirm={() => cancel.mutateAsync(undefined)}
          onClose={() => setAsks(false)}
        >
          <p>{t("exports:exports.cancel.text", { kind: title })}</p>
        </Confirm>
      )}
    </li>
  )
}

/** Spreadsheets that the service makes: asked for, watched, fetched. */
export default function Exports() {
  const me = useMe()
  const { query, change } = useAddress()
  const { begun, add, forget } = useMemo(() => begunExports(me.id), [me.id])
  const all = useStore(begun)
  const kind = EXPORT_KINDS.find(({ name }) => name === query.kind) ?? EXPORT_KINDS[0]
  if (!kind) return null
  return (
    <Page title={t("nav.exports")}>
      <section class="card" aria-labelledby="begin">
        <h2 id="begin">{t("exports:exports.new")}</h2>
        <Form
          key={kind.name}
          submit={t("exports:exports.start")}
          onSubmit={async (values) => {
            const { data } = await beginExport(kind, values)
            add({ id: data.export_id, kind: kind.name, at: Date.now() })
            announce(data.message)
          }}
        >
          <Select
            name="kind"
            label={t("exports:exports.kind")}
            value={kind.name}
            options={EXPORT_KINDS.map((one) => ({ value: one.name, label: titleOf(one) }))}
            onChange={(name) => change({ kind: name }, { replace: true })}
          />
          <Filters kind={kind} />
        </Form>
      </section>
      <section aria-labelledby="begun">
        <h2 id="begun">{t("exports:exports.yours")}</h2>
        <p class="quiet">{t("exports:exports.yours.about")}</p>
        {all.length === 0 ? (
          <p class="empty">{t("exports:exports.none")}</p>
        ) : (
          <ul class="cards">
            {all.map((one) => (
              <Export key={one.id} of={one} onForget={() => forget(one.id)} />
            ))}
          </ul>
        )}
      </section>
    </Page>
  )
}
