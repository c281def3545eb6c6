import { useEffect, useState } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { invalidatePaths, useChange, useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { download, toCsv } from "../../ui/csv.ts"
import { DropZone } from "../../ui/drop-zone.tsx"
import { ErrorMessage, Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { Progress } from "../../ui/progress.tsx"
import { Table } from "../../ui/table.tsx"
import { useUnsavedChanges } from "../../ui/unsaved-changes.ts"
import { useUrlState } from "../../ui/url-state.ts"
import { ClassPicker, CoursePicker, GroupPicker, MembershipPicker } from "./pickers.tsx"
import { USER_QUERIES } from "./user-mutations.ts"
import "./users.css"

type ImportResult = Schemas["BulkUploadAnswer"]
type RowError = ImportResult["errors"][number]
type Target = Omit<Schemas["BulkUploadSpreadsheet"], "file">

const POLL_MS = 1000
/** Errors shown on the page; the CSV file has all of them. */
const MAX_SHOWN_ERRORS = 200

/** The field of an error message, which starts with its name. */
const fieldOf = (reason: string) => /^([a-z_][\w.-]*) (?:is|must|has|may|needs)\b/.exec(reason)?.[1] ?? ""

/** Errors by row, one line per message. */
function RowErrors({ errors }: { errors: readonly RowError[] }) {
  if (errors.length === 0) return null
  const lines = errors.flatMap(({ row, email, reasons }) =>
    reasons.map((reason, index) => ({ key: `${row}/${index}`, row, email, field: fieldOf(reason), reason })),
  )
  const titles = [t("users:row"), t("users:email"), t("users:field"), t("users:error")]
  return (
    <section aria-labelledby="row-errors">
      <h2 id="row-errors">{t("users:row-errors", { count: errors.length, shown: number(errors.length) })}</h2>
      <Table
        caption={t("users:row-errors", { count: errors.length, shown: number(errors.length) })}
        rows={lines.slice(0, MAX_SHOWN_ERRORS)}
        keyOf={({ key }) => key}
        columns={[
          { key: "row", title: titles[0] ?? "", numeric: true, render: ({ row }) => number(row) },
          { key: "email", title: titles[1] ?? "", render: ({ email }) => email || t("none") },
          { key: "field", title: titles[2] ?? "", render: ({ field }) => field || t("none") },
          {
            key: "reason",
            title: titles[3] ?? "",
            render: ({ reason }) => (
              <span lang="en" dir="auto">
                {reason}
              </span>
            ),
          },
        ]}
      />
      {lines.length > MAX_SHOWN_ERRORS && (
        <p class="quiet">{t("users:row-errors.more", { shown: number(MAX_SHOWN_ERRORS) })}</p>
      )}
      <p>
        <button
          type="button"
          onClick={() =>
            download(
              new Blob(
                [toCsv([titles, ...lines.map(({ row, email, field, reason }) => [row, email, field, reason])])],
                { type: "text/csv" },
              ),
              "bulk-upload-errors.csv",
            )
          }
        >
          {t("users:row-errors.csv")}
        </button>
      </p>
    </section>
  )
}

const Counts = ({ created, existing, failed }: Pick<ImportResult, "created" | "existing" | "failed">) => (
  <dl class="facts">
    <dt>{t("users:import.created")}</dt>
    <dd>{number(created)}</dd>
    <dt>{t("users:import.existing")}</dt>
    <dd>{number(existing)}</dd>
    <dt>{t("users:import.failed")}</dt>
    <dd>{number(failed)}</dd>
  </dl>
)

/** The result of the dry run. */
const Preview = ({ result }: { result: ImportResult }) => (
  <section class="card" aria-labelledby="checked" data-upload="checked">
    <h2 id="checked">{t("users:import.preview")}</h2>
    <p lang="en" dir="auto" role="status">
      {result.message}
    </p>
    <Counts {...result} />
    {result.skippedCourses + result.skippedClasses > 0 && (
      <p>{t("users:import.not-found", { shown: number(result.skippedCourses + result.skippedClasses) })}</p>
    )}
    <RowErrors errors={result.errors} />
  </section>
)

/** Progress of a running import. */
function ImportProgress({ id }: { id: number }) {
  const progress = useRead(
    "/api/user/bulkUpload/progress/{uploadId}",
    { params: { path: { uploadId: id } } },
    { pollMs: (upload) => (upload?.status === "completed" ? false : POLL_MS) },
  )
  const status = progress.data?.status
  useEffect(() => {
    if (status === "completed") invalidatePaths(USER_QUERIES)
  }, [status])
  return (
    <section class="card" aria-labelledby="running" data-upload={status}>
      <h2 id="running">{t("users:import.run", { id })}</h2>
      <Loaded query={progress}>
        {(upload) => (
          <>
            <Progress label={t("users:import.progress")} value={upload.progress} />
            <p lang="en" dir="auto" role="status">
              {upload.message}
            </p>
            <Counts {...upload} />
            <RowErrors errors={upload.errors} />
          </>
        )}
      </Loaded>
    </section>
  )
}

/** Downloads a CSV with the supported columns. */
async function downloadSample() {
  const { data } = await api.GET("/api/user/getBulkUploadSampleFile")
  const rows = data.records.map((record) => data.headers.map((header) => record[header] ?? ""))
  download(new Blob([toCsv([data.headers, ...rows])], { type: "text/csv" }), "bulk-upload-sample.csv")
}

const toIds = (choices: readonly Choice[]) => choices.map(({ id }) => id)

/** Imports users from a spreadsheet, after a dry run. */
export default function ImportUsers() {
  const me = useMe()
  const { query, change } = useUrlState()
  const [file, setFile] = useState<File>()
  const [courses, setCourses] = useState<readonly Choice[]>([])
  const [group, setGroup] = useState<Choice>()
  const [classes, setClasses] = useState<readonly Choice[]>([])
  const [membership, setMembership] = useState<Choice>()
  const [preview, setPreview] = useState<ImportResult>()
  const [error, setError] = useState<unknown>()
  const [isBusy, setIsBusy] = useState(false)
  const importId = Number(query.upload) || undefined
  const send = useChange({
    call: (body: Schemas["BulkUploadSpreadsheet"]) => api.POST("/api/user/userBulkUploadSpreadsheet", { body }),
    invalidates: USER_QUERIES,
    // The page shows the result.
    successMessage: () => "",
  })
  const [importedFile, setImportedFile] = useState<File>()
  const hasTarget = courses.length + classes.length > 0 || group !== undefined || membership !== undefined
  useUnsavedChanges(file === undefined ? hasTarget : file !== importedFile)
  // The preview is only valid for the file and the target that were checked.
  const resetPreview = () => {
    setPreview(undefined)
    setError(undefined)
  }
  const target: Target = {
    ...(courses.length > 0 && { selectedCourses: toIds(courses) }),
    ...(classes.length > 0 && { classIds: toIds(classes) }),
    ...(group && { groupId: group.id }),
    ...(membership && { membershipId: membership.id }),
  }
  const run = async (task: () => Promise<void>) => {
    setIsBusy(true)
    setError(undefined)
    try {
      await task()
    } catch (failure) {
      setError(failure)
    } finally {
      setIsBusy(false)
    }
  }
  const validate = (selectedFile: File) =>
    run(async () => setPreview(await send.mutateAsync({ file: selectedFile, dryRun: true, ...target })))
  const startImport = (selectedFile: File) =>
    run(async () => {
      const { upload_id } = await send.mutateAsync({ file: selectedFile, ...target })
      setPreview(undefined)
      setImportedFile(selectedFile)
      change({ upload: upload_id ?? undefined })
    })
  const withReset =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value)
      resetPreview()
    }
  return (
    <Page
      title={t("nav.import")}
      parent={{ href: "/console/users", label: t("users:title") }}
      actions={
        <button type="button" onClick={() => run(downloadSample)}>
          {t("users:import.sample")}
        </button>
      }
    >
      {importId && <ImportProgress key={importId} id={importId} />}
      <div class="upload">
        <DropZone
          label={t("users:import.file")}
          hint={t("users:import.hint")}
          accept=".xlsx,.csv"
          onFile={(selectedFile) => {
            setFile(selectedFile)
            resetPreview()
          }}
        />
        <details>
          <summary>{t("users:import.target")}</summary>
          <div class="form">
            <CoursePicker name="selectedCourses" selected={courses} onSelect={withReset(setCourses)} />
            <GroupPicker name="groupId" value={group} onSelect={withReset(setGroup)} />
            <ClassPicker name="classIds" selected={classes} onSelect={withReset(setClasses)} />
            {hasAccess(me, "admin") && (
              <MembershipPicker name="membershipId" value={membership} onSelect={withReset(setMembership)} />
            )}
          </div>
        </details>
        <div class="actions">
          <button
            type="button"
            class={preview ? undefined : "primary"}
            disabled={!file || isBusy}
            onClick={() => file && validate(file)}
          >
            {isBusy ? t("working") : t("users:import.validate")}
          </button>
          {preview && (
            <button
              type="button"
              class="primary"
              disabled={!file || isBusy || preview.created + preview.existing === 0}
              onClick={() => file && startImport(file)}
            >
              {t("users:import.start", {
                count: preview.created + preview.existing,
                shown: number(preview.created + preview.existing),
              })}
            </button>
          )}
        </div>
        <ErrorMessage error={error} />
        {preview && <Preview result={preview} />}
      </div>
    </Page>
  )
}
