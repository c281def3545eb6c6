import { type Dispatch, type StateUpdater, useState } from "preact/hooks"
import type { DataOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange, useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { DropZone } from "../../ui/drop-zone.tsx"
import { formatTimeLeft } from "../../ui/duration.ts"
import { ErrorMessage, Loaded } from "../../ui/error-message.tsx"
import { Form, TextArea, type Values } from "../../ui/form.tsx"
import { useFormDraft } from "../../ui/form-draft.tsx"
import { toParagraphs } from "../../ui/html.ts"
import { RichText } from "../../ui/rich-text.tsx"
import { Time } from "../../ui/time.tsx"
import type { ModuleProps } from "./module-props.ts"
import { PROGRESS_QUERIES, StatusBadge } from "./shared.tsx"

type Assignment = DataOf<"/api/module/assignment/details", "get">
type Submission = Assignment["prevSubmission"][number]
type Upload = DataOf<"/api/module/assignment/upload", "post">

/** `accept` values by file type of the API. */
const ACCEPT_BY_TYPE: Record<string, string> = {
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
const toAccept = (types: readonly string[]) => types.map((type) => ACCEPT_BY_TYPE[type] ?? `.${type}`).join(",")

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }

/** Converts plain text to the HTML of a submission. */
const toSubmissionHtml = (text: string) =>
  toParagraphs(text.replace(/[&<>]/g, (character) => ESCAPES[character] ?? character))

const filesOf = ({ file_path }: Submission) => (Array.isArray(file_path) ? file_path : file_path ? [file_path] : [])

/** An earlier submission with its grade. */
const PreviousSubmission = ({ submission, maxPoints }: { submission: Submission; maxPoints: number }) => (
  <article class="submission">
    <h3>
      {t("learner:assignment.attempt", { number: number(submission.attempt) })}{" "}
      <StatusBadge status={submission.status} />
    </h3>
    <p class="quiet">
      {t("learner:assignment.submitted")} <Time value={submission.submitted_on} />
    </p>
    {submission.submission && <RichText html={submission.submission} />}
    {filesOf(submission).length > 0 && (
      <ul>
        {filesOf(submission).map((url, index) => (
          <li key={url}>
            <a href={url} download>
              {submission.file_names[index] ?? url}
            </a>
          </li>
        ))}
      </ul>
    )}
    {submission.student_message && (
      <p dir="auto" class="lines">
        {t("learner:assignment.comment")} {submission.student_message}
      </p>
    )}
    {submission.evaluated_on && (
      <div class="evaluation">
        <p class="quiet">
          {t("learner:assignment.graded", { name: submission.evaluated_by ?? t("none") })}{" "}
          <Time value={submission.evaluated_on} />
        </p>
        {submission.points_awarded !== null && (
          <p>
            {t("learner:assignment.points", { points: number(submission.points_awarded), outOf: number(maxPoints) })}
          </p>
        )}
        {submission.instructor_message && (
          <p dir="auto" class="lines">
            {submission.instructor_message}
          </p>
        )}
      </div>
    )}
  </article>
)

/** Uploads files as they are selected; the form submits their URLs. */
function Files({
  module,
  types,
  maxMegabytes,
  files,
  onFiles,
  uploading,
  onUploading,
}: {
  module: { registrationId: number; moduleId: number }
  types: readonly string[]
  maxMegabytes: number
  files: readonly Upload[]
  onFiles: Dispatch<StateUpdater<readonly Upload[]>>
  uploading: readonly File[]
  onUploading: Dispatch<StateUpdater<readonly File[]>>
}) {
  const [error, setError] = useState<unknown>()
  const upload = async (file: File) => {
    onUploading((current) => [...current, file])
    setError(undefined)
    try {
      const { data } = await api.POST("/api/module/assignment/upload", { body: { file, ...module } })
      onFiles((current) => [...current, data])
    } catch (failure) {
      setError(failure)
    } finally {
      onUploading((current) => current.filter((other) => other !== file))
    }
  }
  return (
    <>
      <DropZone
        label={t("learner:assignment.files")}
        hint={t("learner:assignment.files-hint", {
          max: number(maxMegabytes),
          types: types.join(", ") || t("learner:assignment.any-type"),
        })}
        accept={toAccept(types)}
        onFile={upload}
      />
      <div role="status">
        {uploading.map(({ name }, index) => (
          <p key={`${name}${String(index)}`}>
            {t("learner:assignment.uploading", { name })} <progress aria-hidden="true" />
          </p>
        ))}
      </div>
      <ErrorMessage error={error} />
      {files.length > 0 && (
        <ul>
          {files.map(({ storage_url, file_name }) => (
            <li key={storage_url}>
              {file_name}{" "}
              <button
                type="button"
                class="plain"
                aria-label={t("learner:assignment.remove", { name: file_name })}
                onClick={() => onFiles((current) => current.filter((file) => file.storage_url !== storage_url))}
              >
                {t("remove")}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** What a learner writes, for its draft. Files are uploaded again. */
const toText = (values: Values) => ({
  submission: values.text("submission"),
  studentMessage: values.text("studentMessage"),
})

/** Submits a text or files. */
function SubmissionForm({
  assignment,
  module,
}: {
  assignment: Assignment
  module: { registrationId: number; moduleId: number }
}) {
  const [files, setFiles] = useState<readonly Upload[]>([])
  const [uploading, setUploading] = useState<readonly File[]>([])
  const [formKey, setFormKey] = useState(0)
  const isText = assignment.submissionType === "text"
  const submit = useChange({
    call: (body: { submission?: string; submissions?: string[]; studentMessage?: string }) =>
      api.POST("/api/module/assignment/submit", { body: { ...module, ...body } }),
    invalidates: [...PROGRESS_QUERIES, "/api/module/assignment/details"],
  })
  const draft = useFormDraft({ name: `assignment/${module.registrationId}/${module.moduleId}`, read: toText })
  return (
    <Form
      key={formKey}
      isReady={isText || (files.length > 0 && uploading.length === 0)}
      extraState={files.map(({ storage_url }) => storage_url)}
      submit={assignment.status === "Submitted" ? t("learner:assignment.resubmit") : t("learner:assignment.submit")}
      onSubmit={async (values) => {
        const message = values.optional("studentMessage")
        await submit.mutateAsync({
          ...(isText
            ? { submission: toSubmissionHtml(values.text("submission")) }
            : { submissions: files.map(({ storage_url }) => storage_url) }),
          ...(message && { studentMessage: message }),
        })
        draft.clear()
        setFiles([])
        setFormKey(formKey + 1)
      }}
      {...draft.formProps}
    >
      {draft.notice}
      {isText ? (
        <TextArea
          key={draft.key}
          name="submission"
          label={t("learner:assignment.text")}
          rows={10}
          required
          defaultValue={draft.restored?.submission}
        />
      ) : (
        <Files
          module={module}
          types={assignment.allowedFileTypes}
          maxMegabytes={assignment.maxUploadSize}
          files={files}
          onFiles={setFiles}
          uploading={uploading}
          onUploading={setUploading}
        />
      )}
      <TextArea
        key={`message-${draft.key}`}
        name="studentMessage"
        label={t("learner:assignment.message")}
        rows={2}
        defaultValue={draft.restored?.studentMessage}
      />
    </Form>
  )
}

export default function AssignmentModule({ registrationId, module: courseModule }: ModuleProps) {
  const module = { registrationId, moduleId: courseModule.module_id }
  const details = useRead("/api/module/assignment/details", { params: { query: module } })
  return (
    <Loaded query={details}>
      {(assignment) =>
        assignment.launchCheck.canbeLaunched ? (
          <>
            <RichText html={assignment.content} />
            <p class="quiet">
              {t("learner:assignment.max-points", {
                count: assignment.totalPoints,
                shown: number(assignment.totalPoints),
              })}{" "}
              {assignment.timeToBeSpent > 0 &&
                t("learner:minimum-time", { time: formatTimeLeft(assignment.timeToBeSpent) })}
            </p>
            {assignment.prevSubmission.map((submission) => (
              <PreviousSubmission key={submission.id} submission={submission} maxPoints={assignment.totalPoints} />
            ))}
            {assignment.status !== "Completed" && <SubmissionForm assignment={assignment} module={module} />}
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
