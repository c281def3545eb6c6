import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Form } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { useGo } from "../../ui/url-state.ts"
import { AnnouncementFields, announcementBody } from "./announcement-fields.tsx"

/** An announcement that is to be. */
export default function NewAnnouncement() {
  const go = useGo()
  const create = useChange({
    call: (body: ReturnType<typeof announcementBody>) => api.POST("/api/announcement", { body }),
    changes: ["/api/announcement", "/api/student/announcements"],
  })
  return (
    <Page
      title={t("announcements:announcement.new")}
      within={{ href: "/console/announcements", label: t("nav.announcements") }}
    >
      <p>{t("announcements:announcement.new.hint")}</p>
      <Form
        submit={t("create")}
        onSubmit={async (values) => {
          await create.mutateAsync(announcementBody(values))
          go("/announcements")
        }}
      >
        <AnnouncementFields />
      </Form>
    </Page>
  )
}
