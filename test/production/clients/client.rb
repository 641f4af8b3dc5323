require "json"
require "net/http"

url = URI("https://api.attentivemobile.com/v1/me")
answer = Net::HTTP.get_response(url, { "authorization" => "Bearer sandpiper-demo-key" })
puts "#{answer.code} #{JSON.parse(answer.body)["companyName"]}"
