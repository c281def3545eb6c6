import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Form } from "../../ui/form.tsx"
import { useFormDraft } from "../../ui/form-draft.tsx"
import { Page } from "../../ui/page.tsx"
import { useNavigate } from "../../ui/url-state.ts"
import { AnnouncementFields, toAnnouncementBody, toAnnouncementText } from "./announcement-fields.tsx"

export default function NewAnnouncement() {
  const go = useNavigate()
  const create = useChange({
    call: (body: ReturnType<typeof toAnnouncementBody>) => api.POST("/api/announcement", { body }),
    invalidates: ["/api/announcement", "/api/student/announcements"],
  })
  const draft = useFormDraft({ name: "announcement/new", read: toAnnouncementText })
  return (
    <Page
      title={t("announcements:announcement.new")}
      parent={{ href: "/console/announcements", label: t("nav.announcements") }}
    >
      <p>{t("announcements:announcement.new.hint")}</p>
      <Form
        submit={t("create")}
        onSubmit={async (values) => {
          await create.mutateAsync(toAnnouncementBody(values))
          draft.clear()
          go("/announcements")
        }}
        {...draft.formProps}
      >
        {draft.notice}
        <AnnouncementFields key={draft.key} text={draft.restored} />
      </Form>
    </Page>
  )
}
