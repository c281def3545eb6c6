import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Form } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { useNavigate } from "../../ui/url-state.ts"
import { AnnouncementFields, toAnnouncementBody } from "./announcement-fields.tsx"

export default function NewAnnouncement() {
  const go = useNavigate()
  const create = useChange({
    call: (body: ReturnType<typeof toAnnouncementBody>) => api.POST("/api/announcement", { body }),
    invalidates: ["/api/announcement", "/api/student/announcements"],
  })
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
          go("/announcements")
        }}
      >
        <AnnouncementFields />
      </Form>
    </Page>
  )
}
