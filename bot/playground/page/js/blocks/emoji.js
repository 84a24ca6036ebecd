// Short names of emoji, as Slack has them. One line each: the picture, then its names.

const TABLE = `
✅ white_check_mark
✔️ heavy_check_mark
☑️ ballot_box_with_check
❌ x
❎ negative_squared_cross_mark
💾 floppy_disk
💽 minidisc
💿 cd
🗄️ file_cabinet
⏹️ black_square_for_stop
⏸️ double_vertical_bar
▶️ arrow_forward
⏭️ black_right_pointing_double_triangle_with_vertical_bar
⏳ hourglass_flowing_sand
⌛ hourglass
❔ grey_question
❓ question
❗ exclamation heavy_exclamation_mark
❕ grey_exclamation
‼️ bangbang
🟢 large_green_circle
🟡 large_yellow_circle
🟠 large_orange_circle
🔴 red_circle
🔵 large_blue_circle
🟣 large_purple_circle
🟤 large_brown_circle
⚪ white_circle
⚫ black_circle
🔘 radio_button
🟥 large_red_square
🟩 large_green_square
🟨 large_yellow_square
🟦 large_blue_square
🔶 large_orange_diamond
🔷 large_blue_diamond
🔸 small_orange_diamond
🔹 small_blue_diamond
🔺 small_red_triangle
🔻 small_red_triangle_down
🔍 mag
🔎 mag_right
⛔ no_entry
🚫 no_entry_sign
🛑 octagonal_sign
🚨 rotating_light
⚠️ warning
🚧 construction
🗑️ wastebasket
👍 +1 thumbsup
👎 -1 thumbsdown
👌 ok_hand
👏 clap
🙌 raised_hands
🙏 pray
👋 wave
✋ hand raised_hand
💪 muscle
🤝 handshake
🤞 crossed_fingers
✌️ v
👀 eyes
👉 point_right
👈 point_left
👆 point_up_2
👇 point_down
✍️ writing_hand
🧠 brain
🙂 slightly_smiling_face
😀 grinning
😃 smiley
😄 smile
😁 grin
😆 laughing satisfied
😅 sweat_smile
😂 joy
🤣 rolling_on_the_floor_laughing rofl
😉 wink
😊 blush
😍 heart_eyes
😎 sunglasses
🤓 nerd_face
🤔 thinking_face thinking
😐 neutral_face
😕 confused
🙃 upside_down_face
😬 grimacing
😢 cry
😭 sob
😮 open_mouth
😱 scream
😡 rage
😴 sleeping
😷 mask
🤯 exploding_head
🥳 partying_face
🤷 shrug
🤦 face_palm
🫡 saluting_face
🫠 melting_face
👻 ghost
💀 skull
🤖 robot_face
❤️ heart
🧡 orange_heart
💛 yellow_heart
💚 green_heart
💙 blue_heart
💜 purple_heart
🖤 black_heart
💔 broken_heart
💯 100
💥 boom collision
💤 zzz
💬 speech_balloon
💭 thought_balloon
🎉 tada
🎊 confetti_ball
🎈 balloon
🎁 gift
🏆 trophy
🥇 first_place_medal
🎯 dart
🚀 rocket
🔥 fire
✨ sparkles
⭐ star
🌟 star2
⚡ zap
☀️ sunny
🌙 crescent_moon
☁️ cloud
🌧️ rain_cloud
❄️ snowflake
🌈 rainbow
🌊 ocean
🌱 seedling
🌲 evergreen_tree
🍀 four_leaf_clover
🦊 fox_face
🐢 turtle
🐌 snail
🐛 bug
🐝 bee honeybee
🦄 unicorn_face
🐍 snake
🐳 whale
🐧 penguin
☕ coffee
🍕 pizza
🍰 cake
🍺 beer
🍎 apple
⏰ alarm_clock
⏱️ stopwatch
⏲️ timer_clock
🕐 clock1
📅 date
📆 calendar
🗓️ spiral_calendar_pad
📈 chart_with_upwards_trend
📉 chart_with_downwards_trend
📊 bar_chart
📌 pushpin
📍 round_pushpin
📎 paperclip
📝 memo pencil
✏️ pencil2
📄 page_facing_up
📁 file_folder
📂 open_file_folder
🗂️ card_index_dividers
📦 package
📥 inbox_tray
📤 outbox_tray
📬 mailbox_with_mail
✉️ email envelope
📣 mega
📢 loudspeaker
🔔 bell
🔕 no_bell
💡 bulb
🔋 battery
🔌 electric_plug
💻 computer
🖥️ desktop_computer
⌨️ keyboard
🖨️ printer
📱 iphone
☎️ phone telephone
🔧 wrench
🔨 hammer
🛠️ hammer_and_wrench
⚙️ gear
🔗 link
🔒 lock
🔓 unlock
🔑 key
🛡️ shield
🧪 test_tube
🔬 microscope
🔭 telescope
🧹 broom
💰 moneybag
💵 dollar
💶 euro
💳 credit_card
🧾 receipt
➕ heavy_plus_sign
➖ heavy_minus_sign
➡️ arrow_right
⬅️ arrow_left
⬆️ arrow_up
⬇️ arrow_down
↩️ leftwards_arrow_with_hook
🔁 repeat
🔄 arrows_counterclockwise
♻️ recycle
ℹ️ information_source
🆕 new
🆗 ok
🆘 sos
🏁 checkered_flag
🚩 triangular_flag_on_post
🏠 house
🏢 office
🚗 car red_car
🚲 bike
🚢 ship
✈️ airplane
🌍 earth_africa
1️⃣ one
2️⃣ two
3️⃣ three
4️⃣ four
5️⃣ five
`;

const BY_NAME = new Map();
const FIRST_NAMES = [];
for (const line of TABLE.trim().split("\n")) {
  const [picture, ...names] = line.split(" ");
  FIRST_NAMES.push(names[0]);
  for (const name of names) BY_NAME.set(name, picture);
}

// The emoji of a short name, with or without its colons and a skin tone, or null.
export function emojiFor(name) {
  const bare = String(name).replace(/^:|:$/g, "").split("::")[0];
  return BY_NAME.get(bare) ?? null;
}

// The names to pick from, each emoji once.
export function emojiNames() {
  return [...FIRST_NAMES];
}
