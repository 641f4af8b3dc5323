use JSON::PP;
use LWP::UserAgent;

my $answer = LWP::UserAgent->new->get(
    'https://api.attentivemobile.com/v1/me', authorization => 'Bearer sandpiper-demo-key');
print $answer->code, ' ', decode_json($answer->content)->{companyName}, "\n";
