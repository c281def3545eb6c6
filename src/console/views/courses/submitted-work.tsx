import { useQuery } from "@tanstack/preact-query"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { number, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { RichText } from "../../ui/rich-text.tsx"
import { Time } from "../../ui/time.tsx"
import { labelFor } from "./labels.ts"

type Work = Schemas["AssignmentSubmission"]

const BYTES_PER_KB = 1024

/** A submitted file with a download link; images and PDF files are shown. */
function SubmittedFile({ url, name }: { url: string; name: string }) {
  const { data, error } = useQuery({
    queryKey: ["head", url],
    queryFn: async ({ signal }) => {
      const { ok, headers } = await api.fetch(url, { method: "HEAD", signal })
      return {
        ok,
        type: headers.get("content-type") ?? "",
        bytes: Number(headers.get("content-length")),
      }
    },
  })
  const isImage = data?.ok && /^image\/(png|jpeg|gif|webp|avif|bmp)/.test(data.type)
  const isPdf = data?.ok && data.type === "application/pdf"
  return (
    <li>
      <ErrorMessage error={error} />
      {isImage && <img class="submitted-image" src={url} alt={name} />}
      {isPdf && (
        <iframe
          class="submitted-pdf"
          src={`${url}?inline=true`}
          title={t("courses:file.preview", { name })}
          loading="lazy"
        />
      )}
      {data && !data.ok ? (
        <p>{t("courses:file.deleted", { name })}</p>
      ) : (
        <a href={url} download={name}>
          {name}
        </a>
      )}{" "}
      {data?.ok && data.bytes > 0 && (
        <span class="quiet">{t("courses:file.size", { size: number(Math.ceil(data.bytes / BYTES_PER_KB)) })}</span>
      )}
    </li>
  )
}

/** One attempt with its text, files and grade. */
export const SubmittedWork = ({ work }: { work: Work }) => {
  const files = Array.isArray(work.file_path) ? work.file_path : []
  return (
    <>
      <p>
        <Badge status={work.status}>{labelFor("submission", work.status)}</Badge>{" "}
        {t("courses:grade.attempt", { attempt: work.attempt })} <Time value={work.submitted_on} />
      </p>
      {work.student_message && (
        <blockquote dir="auto">
          <p class="quiet">{t("courses:grade.comment")}</p>
          <p class="lines">{work.student_message}</p>
        </blockquote>
      )}
      {work.submission && <RichText html={work.submission} />}
      {files.length > 0 && (
        <ol class="files">
          {files.map((url, index) => (
            <SubmittedFile key={url} url={url} name={work.file_names[index] ?? url} />
          ))}
        </ol>
      )}
      {work.evaluated_on && (
        <p class="quiet">
          {t("courses:grade.by", { name: work.evaluated_by ?? t("none") })} <Time value={work.evaluated_on} />
        </p>
      )}
    </>
  )
}
