import { useEffect, useState } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { may, useMe } from "../../api/me.tsx"
import { readAnew, useChange, useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { csvOf, download } from "../../ui/csv.ts"
import { DropZone } from "../../ui/drop-zone.tsx"
import { Loaded, Problem } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { Progress } from "../../ui/progress.tsx"
import { Table } from "../../ui/table.tsx"
import { useUnsaved } from "../../ui/unsaved-changes.ts"
import { useAddress } from "../../ui/url-state.ts"
import { ClassPicker, CoursePicker, GroupPicker, MembershipPicker } from "./pickers.tsx"
import { PEOPLE } from "./user-mutations.ts"
import "./users.css"

type Answer = Schemas["BulkUploadAnswer"]
type RowError = Answer["errors"][number]
type Target = Omit<Schemas["BulkUploadSpreadsheet"], "file">

const SECOND = 1000
/** Rows with errors that stand on the page; all of them are in the file. */
const SHOWN = 200

/** The field that a message is about: the API begins with its name. */
const fieldOf = (reason: string) => /^([a-z_][\w.-]*) (?:is|must|has|may|needs)\b/.exec(reason)?.[1] ?? ""

/** What is wrong with rows, a line for each message. */
function RowErrors({ errors }: { errors: readonly RowError[] }) {
  if (errors.length === 0) return null
  const lines = errors.flatMap(({ row, email, reasons }) =>
    reasons.map((reason, at) => ({ key: `${row}/${at}`, row, email, field: fieldOf(reason), reason })),
  )
  const titles = [t("users:row"), t("users:email"), t("users:field"), t("users:error")]
  return (
    <section aria-labelledby="row-errors">
      <h2 id="row-errors">{t("users:row-errors", { count: errors.length, shown: number(errors.length) })}</h2>
      <Table
        caption={t("users:row-errors", { count: errors.length, shown: number(errors.length) })}
        rows={lines.slice(0, SHOWN)}
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
      {lines.length > SHOWN && <p class="quiet">{t("users:row-errors.more", { shown: number(SHOWN) })}</p>}
      <p>
        <button
          type="button"
          onClick={() =>
            download(
              new Blob(
                [csvOf([titles, ...lines.map(({ row, email, field, reason }) => [row, email, field, reason])])],
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

const Counts = ({ created, existing, failed }: Pick<Answer, "created" | "existing" | "failed">) => (
  <dl class="facts">
    <dt>{t("users:import.created")}</dt>
    <dd>{number(created)}</dd>
    <dt>{t("users:import.existing")}</dt>
    <dd>{number(existing)}</dd>
    <dt>{t("users:import.failed")}</dt>
    <dd>{number(failed)}</dd>
  </dl>
)

/** What a dry run found; nothing was changed by it. */
const Checked = ({ answer }: { answer: Answer }) => (
  <section class="card" aria-labelledby="checked" data-upload="checked">
    <h2 id="checked">{t("users:import.preview")}</h2>
    <p lang="en" dir="auto" role="status">
      {answer.message}
    </p>
    <Counts {...answer} />
    {answer.skippedCourses + answer.skippedClasses > 0 && (
      <p>{t("users:import.not-found", { shown: number(answer.skippedCourses + answer.skippedClasses) })}</p>
    )}
    <RowErrors errors={answer.errors} />
  </section>
)

/** An upload that was begun, until all its rows have landed or failed. */
function Running({ id }: { id: number }) {
  const state = useRead(
    "/api/user/bulkUpload/progress/{uploadId}",
    { params: { path: { uploadId: id } } },
    { every: (upload) => (upload?.status === "completed" ? false : SECOND) },
  )
  const status = state.data?.status
  useEffect(() => {
    if (status === "completed") readAnew(["/api/users"])
  }, [status])
  return (
    <section class="card" aria-labelledby="running" data-upload={status}>
      <h2 id="running">{t("users:import.run", { id })}</h2>
      <Loaded of={state}>
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

/** The columns that a sheet may have, as a file to fill in. */
async function downloadSample() {
  const { data } = await api.GET("/api/user/getBulkUploadSampleFile")
  const rows = data.records.map((record) => data.headers.map((header) => record[header] ?? ""))
  download(new Blob([csvOf([data.headers, ...rows])], { type: "text/csv" }), "bulk-upload-sample.csv")
}

const ids = (choices: readonly Choice[]) => choices.map(({ id }) => id)

/** Many users from a spreadsheet: looked through first, then made. */
export default function Upload() {
  const me = useMe()
  const { query, change } = useAddress()
  const [file, setFile] = useState<File>()
  const [courses, setCourses] = useState<readonly Choice[]>([])
  const [group, setGroup] = useState<Choice>()
  const [classes, setClasses] = useState<readonly Choice[]>([])
  const [membership, setMembership] = useState<Choice>()
  const [checked, setChecked] = useState<Answer>()
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const running = Number(query.upload) || undefined
  const send = useChange({
    call: (body: Schemas["BulkUploadSpreadsheet"]) => api.POST("/api/user/userBulkUploadSpreadsheet", { body }),
    changes: PEOPLE,
    // What came of it stands on the page.
    done: () => "",
  })
  const [begun, setBegun] = useState<File>()
  const isChosen = courses.length + classes.length > 0 || group !== undefined || membership !== undefined
  useUnsaved(file === undefined ? isChosen : file !== begun)
  // What was found holds for the file and the target that were looked at.
  const anew = () => {
    setChecked(undefined)
    setError(undefined)
  }
  const target: Target = {
    ...(courses.length > 0 && { selectedCourses: ids(courses) }),
    ...(classes.length > 0 && { classIds: ids(classes) }),
    ...(group && { groupId: group.id }),
    ...(membership && { membershipId: membership.id }),
  }
  const act = async (work: () => Promise<void>) => {
    setBusy(true)
    setError(undefined)
    try {
      await work()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  const check = (of: File) => act(async () => setChecked(await send.mutateAsync({ file: of, dryRun: true, ...target })))
  const upload = (of: File) =>
    act(async () => {
      const { upload_id } = await send.mutateAsync({ file: of, ...target })
      setChecked(undefined)
      setBegun(of)
      change({ upload: upload_id ?? undefined })
    })
  const choosing =
    <T,>(choose: (chosen: T) => void) =>
    (chosen: T) => {
      choose(chosen)
      anew()
    }
  return (
    <Page
      title={t("nav.import")}
      within={{ href: "/console/users", label: t("users:title") }}
      actions={
        <button type="button" onClick={() => act(downloadSample)}>
          {t("users:import.sample")}
        </button>
      }
    >
      {running && <Running key={running} id={running} />}
      <div class="upload">
        <DropZone
          label={t("users:import.file")}
          hint={t("users:import.hint")}
          accept=".xlsx,.csv"
          onFile={(given) => {
            setFile(given)
            anew()
          }}
        />
        <details>
          <summary>{t("users:import.target")}</summary>
          <div class="form">
            <CoursePicker name="selectedCourses" chosen={courses} onChoose={choosing(setCourses)} />
            <GroupPicker name="groupId" value={group} onPick={choosing(setGroup)} />
            <ClassPicker name="classIds" chosen={classes} onChoose={choosing(setClasses)} />
            {may(me, "admin") && (
              <MembershipPicker name="membershipId" value={membership} onPick={choosing(setMembership)} />
            )}
          </div>
        </details>
        <div class="actions">
          <button
            type="button"
            class={checked ? undefined : "primary"}
            disabled={!file || busy}
            onClick={() => file && check(file)}
          >
            {busy ? t("working") : t("users:import.validate")}
          </button>
          {checked && (
            <button
              type="button"
              class="primary"
              disabled={!file || busy || checked.created + checked.existing === 0}
              onClick={() => file && upload(file)}
            >
              {t("users:import.start", {
                count: checked.created + checked.existing,
                shown: number(checked.created + checked.existing),
              })}
            </button>
          )}
        </div>
        <Problem error={error} />
        {checked && <Checked answer={checked} />}
      </div>
    </Page>
  )
}
