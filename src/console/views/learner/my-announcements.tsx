import { Megaphone } from "lucide-preact"
import { t } from "../../messages/messages.ts"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import { RichText } from "../../ui/rich-text.tsx"
import { Time } from "../../ui/time.tsx"

export default function MyAnnouncements() {
  return (
    <Page title={t("nav.my-announcements")}>
      <Listing
        path="/api/student/announcements"
        caption={t("nav.my-announcements")}
        size={10}
        keyOf={({ id }) => id}
        filters={[{ name: "heading", label: t("learner:announcements.search") }]}
        empty={{
          icon: Megaphone,
          text: t("learner:announcements.none"),
          action: { label: t("nav.my-courses"), href: "/learning" },
        }}
        card={({ heading, author, created_at, content }) => (
          <article>
            <h2>{heading}</h2>
            <p class="quiet">
              {author}, <Time value={created_at} />
            </p>
            <RichText html={content} />
          </article>
        )}
      />
    </Page>
  )
}
