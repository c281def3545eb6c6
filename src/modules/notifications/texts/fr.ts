import { FRENCH_ACCOUNT } from "./account-fr.ts"
import type { TextCatalog } from "./text-catalog.ts"

const greeting = "Bonjour {{first_name}},"
const text = (subject: string, ...paragraphs: string[]) => ({ subject, body: [greeting, ...paragraphs].join("\n\n") })

export const FRENCH: TextCatalog = {
  kinds: {
    invited: text(
      "Invitation à rejoindre {{academy}}",
      "Vous êtes invité à rejoindre {{academy}}. Choisissez un mot de passe pour accepter " +
        "l’invitation et vous connecter.",
      "[Accepter l’invitation]({{url}})",
      "Le lien fonctionne une seule fois et expire dans 2 jours. S’il a expiré, demandez à un administrateur de " +
        "renvoyer l’invitation.",
    ),
    enrolled: text(
      "Vous êtes inscrit à {{course}}",
      "Vous êtes inscrit à **{{course}}**.",
      "Veuillez le terminer au plus tard le **{{due_date}}**.",
      "[Ouvrir le cours]({{url}})",
    ),
    due_soon: text(
      "{{course}} est à terminer au plus tard le {{due_date}}",
      "Veuillez terminer **{{course}}** au plus tard le **{{due_date}}**.",
      "[Ouvrir le cours]({{url}})",
    ),
    overdue: text(
      "{{course}} est en retard",
      "**{{course}}** était à terminer au plus tard le **{{due_date}}**. Veuillez le terminer dès que possible.",
      "[Ouvrir le cours]({{url}})",
    ),
    class_reminder: text(
      "{{class}} commence le {{starts_at}}",
      "**{{class}}** commence le **{{starts_at}}**.",
      "Lieu : {{location}}",
      "[Voir la classe]({{url}})",
      "[Ajouter au calendrier]({{calendar_url}})",
    ),
    class_changed: text(
      "La classe {{class}} a été modifiée",
      "L’horaire de **{{class}}** a changé. Nouveau début : **{{starts_at}}**.",
      "Lieu : {{location}}",
      "[Voir la classe]({{url}})",
      "[Ajouter au calendrier]({{calendar_url}})",
    ),
    class_canceled: text(
      "La classe {{class}} est annulée",
      "La classe **{{class}}**, qui devait commencer le {{starts_at}}, est annulée.",
      "[Voir mes classes]({{url}})",
    ),
    submission_graded: text(
      "{{assignment}} a été noté",
      "Votre remise pour **{{assignment}}** dans {{course}} a été notée.",
      "Note : **{{grade}}**",
      "[Voir la remise]({{url}})",
    ),
    submission_returned: text(
      "{{assignment}} est à modifier",
      "Votre remise pour **{{assignment}}** dans {{course}} vous a été renvoyée. Veuillez la modifier et la remettre " +
        "à nouveau.",
      "[Voir la remise]({{url}})",
    ),
    course_completed: text(
      "Vous avez terminé {{course}}",
      "Vous avez terminé **{{course}}** le {{completed_on}}.",
      "Votre certificat est prêt. Toute personne disposant du lien peut le vérifier :\n" +
        "[Voir le certificat]({{certificate_url}})",
      "[Voir mes cours]({{url}})",
    ),
    certificate_expiring: text(
      "Votre certificat pour {{course}} expire le {{expires_on}}",
      "Votre certificat pour **{{course}}** expire le **{{expires_on}}**. Veuillez le renouveler avant cette date.",
      "[Ouvrir le cours]({{url}})",
    ),
    certificate_expired: text(
      "Votre certificat pour {{course}} a expiré",
      "Votre certificat pour **{{course}}** a expiré le **{{expires_on}}**.",
      "[Ouvrir le cours]({{url}})",
    ),
    announcement: text("{{heading}}"),
    message: text("{{subject}}", "{{sender}} vous a envoyé un message :"),
    exempted: text(
      "Vous n’avez pas à terminer {{course}}",
      "Pour le moment, vous n’avez pas à terminer **{{course}}**.",
      "Jusqu’au : {{until}}",
      "Motif : {{reason}}",
    ),
    extended: text(
      "{{course}} est désormais à terminer au plus tard le {{due_date}}",
      "Vous disposez de plus de temps pour **{{course}}** : la nouvelle échéance est le **{{due_date}}**.",
      "Motif : {{reason}}",
      "[Ouvrir le cours]({{url}})",
    ),
    report_ready: text(
      "Votre rapport {{report}} est prêt",
      "**{{report}}**, lignes : **{{rows}}**",
      "En retard : **{{overdue}}**, échéance proche : **{{due_soon}}**, dans les délais : **{{on_track}}**, " +
        "terminées : **{{completed}}**",
      "[Télécharger le rapport]({{url}})",
      "Le fichier est disponible pendant sept jours.",
    ),
    team_overdue: text(
      "Formations en retard dans votre équipe",
      "**{{learner}}** n’a pas terminé **{{course}}**, qui est en retard.",
      "Inscriptions en retard dans votre équipe : **{{count}}**",
      "[Voir l’équipe]({{url}})",
    ),
  },
  account: FRENCH_ACCOUNT,
  digest: text("Vos notifications de {{academy}}", "Voici les nouveautés depuis hier :"),
  more: "Afficher {{count}} de plus",
  footer: {
    reason: "Vous recevez cet e-mail en raison de vos préférences de notification.",
    unsubscribe: "Se désabonner",
  },
}
