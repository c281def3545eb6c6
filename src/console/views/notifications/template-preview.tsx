import { keepPreviousData, useQuery } from "@tanstack/preact-query"
import { useEffect, useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { t } from "../../messages/messages.ts"
import { SEARCH_DELAY_MS } from "../../ui/choice.ts"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { RichText } from "../../ui/rich-text.tsx"
import type { NotificationKind } from "./kinds.ts"

/** Inline styles of the email, which the content security policy of the console refuses. Values are escaped. */
const STYLES = /\sstyle="[^"]*"/g

interface TemplatePreviewProps {
  kind: NotificationKind
  input: { portalId?: number; language: string; subject: string; body: string }
}

/** The email with sample values, as the service renders it. */
export function TemplatePreview({ kind, input }: TemplatePreviewProps) {
  const [shown, setShown] = useState(input)
  const text = JSON.stringify(input)
  useEffect(() => {
    const timer = setTimeout(() => setShown(input), SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [text])
  const preview = useQuery({
    queryKey: ["preview", kind, shown],
    queryFn: async ({ signal }) =>
      (
        await api.POST("/api/notification-template/{kind}/preview", {
          params: { path: { kind } },
          body: shown,
          signal,
        })
      ).data,
    placeholderData: keepPreviousData,
    enabled: shown.subject.trim() !== "" && shown.body.trim() !== "",
  })
  return (
    <aside class="template-preview" aria-labelledby="preview">
      <h2 id="preview">{t("notifications:preview")}</h2>
      <p class="quiet">{t("notifications:preview.about")}</p>
      <ErrorMessage error={preview.error} />
      {preview.data && (
        <div class="paper" lang={preview.data.language}>
          <p class="paper-subject" dir="auto">
            {preview.data.subject}
          </p>
          <RichText html={preview.data.html.replaceAll(STYLES, "")} />
        </div>
      )}
    </aside>
  )
}
