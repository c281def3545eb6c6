import { useState } from "preact/hooks"
import type { DataOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange, useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { DropZone } from "../../ui/drop-zone.tsx"
import { Loaded, Problem } from "../../ui/error-message.tsx"
import { Form, TextArea } from "../../ui/form.tsx"
import { paragraphsOf } from "../../ui/html.ts"
import { RichText } from "../../ui/rich-text.tsx"
import { Time } from "../../ui/time.tsx"
import type { ModuleProps } from "./module-props.ts"
import { duration, PROGRESS, State } from "./shared.tsx"

type Assignment = DataOf<"/api/module/assignment/details", "get">
type Submission = Assignment["prevSubmission"][number]
type Upload = DataOf<"/api/module/assignment/upload", "post">

/** What an input's `accept` says of the kinds of files that the API names. */
const ACCEPTED: Record<string, string> = {
  image: "image/*",
  audio: "audio/*",
  video: "video/*",
  pdf: ".pdf",
  text: ".txt",
  document: ".doc,.docx,.odt,.rtf,.pdf",
  spreadsheet: ".xls,.xlsx,.ods,.csv",
  presentation: ".ppt,.pptx,.odp",
  archive: ".zip,.gz,.7z,.rar,.tar",
}
const acceptOf = (types: readonly string[]) => types.map((type) => ACCEPTED[type] ?? `.${type}`).join(",")

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }

/** Text as the HTML that submissions are. */
const htmlOf = (text: string) => paragraphsOf(text.replace(/[&<>]/g, (letter) => ESCAPES[letter] ?? letter))

const filesOf = ({ file_path }: Submission) => (Array.isArray(file_path) ? file_path : file_path ? [file_path] : [])

/** What was handed in, and what was said of it. */
const Handed = ({ of, outOf }: { of: Submission; outOf: number }) => (
  <article class="handed">
    <h3>
      {t("learner:assignment.attempt", { number: number(of.attempt) })} <State of={of.status} />
    </h3>
    <p class="quiet">
      {t("learner:assignment.submitted")} <Time value={of.submitted_on} />
    </p>
    {of.submission && <RichText html={of.submission} />}
    {filesOf(of).length > 0 && (
      <ul>
        {filesOf(of).map((address, index) => (
          <li key={address}>
            <a href={address} download>
              {of.file_names[index] ?? address}
            </a>
          </li>
        ))}
      </ul>
    )}
    {of.student_message && (
      <p dir="auto" class="lines">
        {t("learner:assignment.comment")} {of.student_message}
      </p>
    )}
    {of.evaluated_on && (
      <div class="evaluation">
        <p class="quiet">
          {t("learner:assignment.graded", { name: of.evaluated_by ?? t("none") })} <Time value={of.evaluated_on} />
        </p>
        {of.points_awarded !== null && (
          <p>{t("learner:assignment.points", { points: number(of.points_awarded), outOf: number(outOf) })}</p>
        )}
        {of.instructor_message && (
          <p dir="auto" class="lines">
            {of.instructor_message}
          </p>
        )}
      </div>
    )}
  </article>
)

/** Files are uploaded as they are chosen; the form then names them. */
function Files({
  place,
  types,
  most,
  files,
  onFiles,
}: {
  place: { registrationId: number; moduleId: number }
  types: readonly string[]
  /** Megabytes of a file at most. */
  most: number
  files: readonly Upload[]
  onFiles: (files: readonly Upload[]) => void
}) {
  const [sending, setSending] = useState<string>()
  const [error, setError] = useState<unknown>()
  const upload = async (file: File) => {
    setSending(file.name)
    setError(undefined)
    try {
      const { data } = await api.POST("/api/module/assignment/upload", { body: { file, ...place } })
      onFiles([...files, data])
    } catch (failure) {
      setError(failure)
    } finally {
      setSending(undefined)
    }
  }
  return (
    <>
      <DropZone
        label={t("learner:assignment.files")}
        hint={t("learner:assignment.files-hint", {
          max: number(most),
          types: types.join(", ") || t("learner:assignment.any-type"),
        })}
        accept={acceptOf(types)}
        onFile={upload}
      />
      <div role="status">
        {sending && (
          <p>
            {t("learner:assignment.uploading", { name: sending })} <progress aria-hidden="true" />
          </p>
        )}
      </div>
      <Problem error={error} />
      {files.length > 0 && (
        <ul>
          {files.map(({ storage_url, file_name }) => (
            <li key={storage_url}>
              {file_name}{" "}
              <button
                type="button"
                class="plain"
                aria-label={t("learner:assignment.remove", { name: file_name })}
                onClick={() => onFiles(files.filter((file) => file.storage_url !== storage_url))}
              >
                {t("delete")}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Hands in what the assignment asks for: a text, or files. */
function HandIn({
  assignment,
  place,
}: {
  assignment: Assignment
  place: { registrationId: number; moduleId: number }
}) {
  const [files, setFiles] = useState<readonly Upload[]>([])
  const [round, setRound] = useState(0)
  const isText = assignment.submissionType === "text"
  const submit = useChange({
    call: (body: { submission?: string; submissions?: string[]; studentMessage?: string }) =>
      api.POST("/api/module/assignment/submit", { body: { ...place, ...body } }),
    changes: [...PROGRESS, "/api/module/assignment/details"],
  })
  return (
    <Form
      key={round}
      isReady={isText || files.length > 0}
      beside={files.map(({ storage_url }) => storage_url)}
      submit={assignment.status === "Submitted" ? t("learner:assignment.resubmit") : t("learner:assignment.submit")}
      onSubmit={async (values) => {
        const message = values.optional("studentMessage")
        await submit.mutateAsync({
          ...(isText
            ? { submission: htmlOf(values.text("submission")) }
            : { submissions: files.map(({ storage_url }) => storage_url) }),
          ...(message && { studentMessage: message }),
        })
        setFiles([])
        setRound(round + 1)
      }}
    >
      {isText ? (
        <TextArea name="submission" label={t("learner:assignment.text")} rows={10} required />
      ) : (
        <Files
          place={place}
          types={assignment.allowedFileTypes}
          most={assignment.maxUploadSize}
          files={files}
          onFiles={setFiles}
        />
      )}
      <TextArea name="studentMessage" label={t("learner:assignment.message")} rows={2} />
    </Form>
  )
}

/** An assignment: what is asked, what was handed in before, and handing in. */
export function AssignmentModule({ registrationId, module }: ModuleProps) {
  const place = { registrationId, moduleId: module.module_id }
  const details = useRead("/api/module/assignment/details", { params: { query: place } })
  return (
    <Loaded of={details}>
      {(assignment) =>
        assignment.launchCheck.canbeLaunched ? (
          <>
            <RichText html={assignment.content} />
            <p class="quiet">
              {t("learner:assignment.max-points", {
                count: assignment.totalPoints,
                shown: number(assignment.totalPoints),
              })}{" "}
              {assignment.timeToBeSpent > 0 && t("learner:minimum-time", { time: duration(assignment.timeToBeSpent) })}
            </p>
            {assignment.prevSubmission.map((submission) => (
              <Handed key={submission.id} of={submission} outOf={assignment.totalPoints} />
            ))}
            {assignment.status !== "Completed" && <HandIn assignment={assignment} place={place} />}
          </>
        ) : (
          <p lang="en" dir="auto">
            {assignment.launchCheck.errTitle} {assignment.launchCheck.errDesc}
          </p>
        )
      }
    </Loaded>
  )
}
